//! Order conditions of Runge–Kutta methods by rooted trees, for the tests of the tables (@hairer1993, II.2).
//!
//! ```text
//!   Σ_i b_i Φ_i(τ) = θ^|τ| / γ(τ)   for every tree τ with |τ| ≤ p,
//!   Φ_i(τ) = Π_children Σ_j a_ij Φ_j(child),     γ(τ) = |τ| Π_children γ(child)
//! ```

/// A rooted tree: its number of nodes, its density γ, its elementary weights Φ_i.
#[derive(Clone)]
pub(crate) struct Tree {
    pub order: usize,
    pub density: f64,
    pub weights: Vec<f64>,
}

/// Every rooted tree with up to `order` nodes, for the matrix with the rows `a`.
pub(crate) fn rooted_trees(a: &[Vec<f64>], order: usize) -> Vec<Tree> {
    let mut trees: Vec<Tree> = Vec::new();
    for n in 1..=order {
        let root = Tree { order: 1, density: 1.0, weights: vec![1.0; a.len()] };
        let mut grown = Vec::new();
        hang(a, &trees, 0, n, root, &mut grown);
        trees.extend(grown);
    }
    trees
}

/// Hangs trees from the list, none before number `first`, on `tree` until it has `n` nodes.
fn hang(a: &[Vec<f64>], list: &[Tree], first: usize, n: usize, tree: Tree, grown: &mut Vec<Tree>) {
    if tree.order == n {
        grown.push(Tree { density: tree.density * n as f64, ..tree });
        return;
    }
    for (i, child) in list.iter().enumerate().skip(first) {
        if tree.order + child.order <= n {
            let weights = a.iter().zip(&tree.weights).map(|(row, w)| w * dot(row, &child.weights)).collect();
            let density = tree.density * child.density;
            hang(a, list, i, n, Tree { order: tree.order + child.order, density, weights }, grown);
        }
    }
}

/// Σ x_i y_i.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[test]
fn there_are_as_many_trees_as_cayley_counted() {
    let trees = rooted_trees(&[vec![0.0]], 8);
    let count: Vec<usize> = (1..=8).map(|n| trees.iter().filter(|tree| tree.order == n).count()).collect();
    assert_eq!(count, [1, 1, 2, 4, 9, 20, 48, 115]);
}
