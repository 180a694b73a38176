//! The page of the sources, from `docs/references.bib`, and links to it from `@key`.

use std::fmt::Write as _;

/// A source: key and fields in order.
pub struct Source {
    key: String,
    fields: Vec<(String, String)>,
}

impl Source {
    fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// `Martins and Oden 1985`.
    fn label(&self) -> String {
        let family = |author: &str| match author.split_once(", ") {
            Some((family, _)) => family.to_owned(),
            None => author.rsplit(' ').next().unwrap_or(author).to_owned(),
        };
        let authors: Vec<String> = self.field("author").split(" and ").map(family).collect();
        let names = match &authors[..] {
            [one] if one.is_empty() => self.key.clone(),
            [one] => one.clone(),
            [one, two] => format!("{one} and {two}"),
            [one, ..] => format!("{one} et al."),
            [] => self.key.clone(),
        };
        format!("{names} {}", self.field("year")).trim_end().to_owned()
    }
}

/// The sources in a file, whose fields are one to a line.
pub fn sources(bib: &str) -> Vec<Source> {
    let mut list: Vec<Source> = Vec::new();
    for line in bib.lines() {
        if let Some((_, key)) = line.strip_prefix('@').and_then(|rest| rest.split_once('{')) {
            list.push(Source { key: key.trim_end_matches(',').to_owned(), fields: Vec::new() });
        } else if let (Some((name, value)), Some(source)) = (line.split_once('='), list.last_mut()) {
            let value = value.trim().trim_end_matches(',').replace(['{', '}'], "").replace("--", "–");
            source.fields.push((name.trim().to_owned(), value));
        }
    }
    list
}

/// The page.
pub fn page(sources: &[Source]) -> String {
    let mut text = String::from(
        "# Sources\n\nThe literature that the code cites; the file is `docs/references.bib`.\n\n",
    );
    let mut sorted: Vec<&Source> = sources.iter().collect();
    sorted.sort_by_key(|source| source.label().to_lowercase());
    for source in sorted {
        let place =
            ["journal", "booktitle", "publisher", "institution", "school"].map(|name| source.field(name));
        let mut place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        let volume = match (source.field("volume"), source.field("number")) {
            ("", _) => String::new(),
            (volume, "") => format!(" {volume}"),
            (volume, number) => format!(" {volume}({number})"),
        };
        place.push_str(&volume);
        let authors = source.field("author").replace(" and ", "; ");
        let parts = [
            authors.as_str(),
            source.field("title"),
            &place,
            source.field("pages"),
            source.field("year"),
            source.field("note"),
        ];
        // initials end with a full stop already
        let parts = parts.map(|part| part.trim_end_matches('.'));
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let doi = match source.field("doi") {
            "" => String::new(),
            doi => format!(" [doi:{doi}](https://doi.org/{doi})"),
        };
        let _ = writeln!(text, "(ref-{})=\n**{}** {}.{doi}\n", source.key, source.label(), parts.join(". "));
    }
    text
}

/// The text with links in place of `@key`; `page` is the path of the page of sources.
pub fn linked(text: &str, sources: &[Source], page: &str) -> String {
    let mut sorted: Vec<&Source> = sources.iter().collect();
    // a key that begins with another comes before it
    sorted.sort_by_key(|source| std::cmp::Reverse(source.key.len()));
    sorted.iter().fold(text.to_owned(), |text, source| {
        text.replace(&format!("@{}", source.key), &format!("[{}]({page}#ref-{})", source.label(), source.key))
    })
}
