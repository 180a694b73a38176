// MathJax from this folder alone: its core, TeX in, SVG out, and the parts of its font that a formula needs. Menu and speech, which
// would load further parts, are left out.
const base = `${document.currentScript.src.replace(/[^/]*$/, "")}mathjax`;
window.MathJax = {
  loader: {
    load: ["core", "input/tex", "output/svg"],
    paths: { mathjax: base, fonts: `${base}/fonts`, "mathjax-newcm": `${base}/fonts` },
  },
  output: { fontPath: `${base}/fonts` },
  options: { processHtmlClass: "tex2jax_process|mathjax_process|math|output_area" },
};
