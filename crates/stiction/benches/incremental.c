/* The incremental scheme of paper B in a plain loop: the same arithmetic as the Rust stepper, one degree of freedom,
   trigonometric law, work summed along the way. Prints the best time of several runs (ns per step) and the last state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static double slope(double mu, double width, double v) {
    double speed = fabs(v);
    return speed < width ? M_PI_2 * mu / width * sin(M_PI_2 * ((width - speed) / width)) : 0.0;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 400000;
    int repeats = argc > 2 ? atoi(argv[2]) : 5;
    double m = argc > 3 ? atof(argv[3]) : 1.0; /* known at run time only, as in the stepper */
    double c = 0.1 * m, k = 1.0 * m, p = 4.0 * m, omega = 1.0 * m, mu = 1.6 * m, width = 0.8 * m;
    double h = 20.0 * 2.0 * M_PI / n, best = 1e300, u = 0, v = 0, a = 0, force = 0, work = 0, viscous = 0, friction = 0;
    for (int r = 0; r < repeats; r++) {
        double start = now();
        double s = 1.0 / (m + 0.5 * h * c + 0.25 * h * h * k), load = 0;
        u = v = a = force = work = viscous = friction = 0;
        double C = slope(mu, width, 0.0);
        for (long i = 1; i <= n; i++) {
            double t = i * h, load_new = p * sin(omega * t);
            double gain = 0.5 * h * C;
            double rhs = load_new - force - gain * a - c * (v + 0.5 * h * a) - k * (u + h * v + 0.25 * h * h * a);
            double a_new = rhs * s / (1.0 + gain * s), sum = a + a_new;
            double u_new = u + h * v + 0.25 * h * h * sum, v_new = v + 0.5 * h * sum;
            double force_new = force + C * (v_new - v), mean = 0.5 * h * (v + v_new);
            C = slope(mu, width, v_new);
            friction += 0.5 * (force + force_new) * mean;
            work += mean * 0.5 * (load + load_new);
            viscous += mean * 0.5 * (c * v + c * v_new);
            u = u_new, v = v_new, a = a_new, force = force_new, load = load_new;
        }
        double time = now() - start;
        if (time < best) best = time;
    }
    printf("%.6f %.17g %.17g %.17g %.17g\n", best / n, u, v, force, work - viscous - friction);
    return 0;
}
