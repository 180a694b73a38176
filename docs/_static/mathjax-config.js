// MathJax from this folder alone: fonts beside it, no menu and no speech, which would ask a network for their parts.
const base = document.currentScript.src.replace(/[^/]*$/, "");
window.MathJax = {
  loader: { paths: { mathjax: `${base}mathjax`, fonts: `${base}mathjax/fonts`, "mathjax-newcm": `${base}mathjax/fonts` } },
  output: { fontPath: `${base}mathjax/fonts` },
  options: { processHtmlClass: "tex2jax_process|mathjax_process|math|output_area", enableMenu: false, enableSpeech: false, enableBraille: false, enableEnrichment: false, enableExplorer: false, enableAssistiveMml: false },
  tex: { packages: { "[-]": ["html", "require", "autoload"] } },
};
