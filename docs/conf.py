"""The site: `cargo xtask site` builds it into target/site."""

import os
import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
MANIFEST = (ROOT / "Cargo.toml").read_text(encoding="utf-8")

project = "stiction"
author = "The stiction authors"
copyright = author  # noqa: A001
# the one place of the version and of the address
release = version = re.search(r'^version = "(.*)"', MANIFEST, re.M)[1]
repository = re.search(r'^repository = "(.*)"', MANIFEST, re.M)[1]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["_build", "**/README.md"]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3
# _static/mathjax-config.js has the whole configuration
myst_update_mathjax = False
myst_url_schemes = ["http", "https", "mailto", "doi"]
# notebooks are committed with their outputs, which a test compares
nb_execution_mode = "off"
# `[keys](#table-stop)` leads to a label on any page
suppress_warnings = ["myst.xref_ambiguous"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_numpy_docstring = True

html_theme = "pydata_sphinx_theme"
html_title = "stiction"
html_static_path = ["_static"] + ([os.environ["SITE_FILES"]] if "SITE_FILES" in os.environ else [])
html_css_files = ["site.css"]
html_js_files = [("mathjax-config.js", {"priority": 100})]
html_show_sourcelink = False
html_copy_source = False
# pages without pages below them
html_sidebars = {page: [] for page in ("index", "start", "python")}
html_theme_options = {
    "logo": {"text": "stiction"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "navigation_depth": 3,
    "footer_start": ["copyright"],
    "footer_end": [],
    "icon_links": [{"name": "Repository", "url": repository, "icon": "fa-brands fa-github"}],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}
mathjax_path = "mathjax/startup.js"
copybutton_exclude = ".linenos, .gp, .go"

napoleon_use_ivar = True


def plain(app, what, name, obj, options, lines):
    """Docstrings are text: names in backticks are code, bars and stars mean themselves, indented lines at the head are formulas."""
    found, is_head, is_formula = [], True, False
    for line in lines:
        is_head = is_head and line.strip("- ") != "Parameters"
        if is_head and line.startswith("  ") and line.strip() and not is_formula:
            found += [] if found and not found[-1] else [""]
            found += ["::", ""]
        elif is_formula and line and not line.startswith(" "):
            found.append("")
        is_formula = is_head and ((line.startswith("  ") and bool(line.strip())) or (is_formula and not line))
        if not is_formula and "``" not in line and ">>>" not in line:
            parts = line.split("`")
            parts[::2] = [part.replace("|", "\\|").replace("*", "\\*") for part in parts[::2]]
            line = "``".join(parts) if len(parts) % 2 else line
        found.append(line)
    lines[:] = found


def setup(app):
    """Before napoleon, which reads what is left."""
    app.connect("autodoc-process-docstring", plain, priority=100)
