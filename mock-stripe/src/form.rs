//! Form-encoded parameters with bracketed names: `payment_method_data[card][number]=…`, `expand[]=…`,
//! `line_items[0][amount]=…`.
//!
//! A handler takes the known parameters out of a [`Form`] and rejects the rest, so that a misspelled parameter is an
//! error, as it is at Stripe.

use std::collections::BTreeMap;

use crate::api_error::ApiError;

/// Maximum nesting depth.
const DEEPEST: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Text(String),
    Branch(BTreeMap<String, Node>),
}

/// The parameters of a request, or those inside brackets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The form's own name; empty at the top level.
    name: String,
    nodes: BTreeMap<String, Node>,
}

impl Form {
    pub fn parse(encoded: &str) -> Result<Self, ApiError> {
        let mut nodes = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(encoded.as_bytes()) {
            let Some(path) = path_of(&name) else {
                return Err(ApiError::invalid(format!("Invalid parameter name: {name}")).param(&name));
            };
            insert(&mut nodes, &path, value.into_owned())
                .ok_or_else(|| ApiError::invalid(format!("Invalid value for {name}")).param(&name))?;
        }
        Ok(Self { name: String::new(), nodes })
    }

    /// Full name of a member, as in an error's `param`.
    pub fn name_of(&self, member: &str) -> String {
        if self.name.is_empty() { member.to_owned() } else { format!("{}[{member}]", self.name) }
    }

    /// A text; empty counts as absent.
    pub fn take_text(&mut self, member: &str) -> Result<Option<String>, ApiError> {
        Ok(self.take_change(member)?.flatten())
    }

    /// A text of an update: absent (unchanged), empty (cleared) or new.
    pub fn take_change(&mut self, member: &str) -> Result<Option<Option<String>>, ApiError> {
        match self.nodes.remove(member) {
            None => Ok(None),
            Some(Node::Text(text)) => Ok(Some(Some(text).filter(|text| !text.is_empty()))),
            Some(Node::Branch(_)) => {
                let param = self.name_of(member);
                Err(ApiError::invalid(format!("Invalid string: {param}")).param(&param))
            }
        }
    }

    pub fn take_integer(&mut self, member: &str) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.take_change(member)? else {
            return Ok(None);
        };
        let param = self.name_of(member);
        let Some(text) = text else {
            let message = format!(
                "You passed an empty string for '{param}'. We assume empty values are an attempt to unset a \
                 parameter; however '{param}' cannot be unset."
            );
            return Err(ApiError::invalid(message).code("parameter_invalid_empty").param(&param));
        };
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let well_formed = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if well_formed => Ok(Some(number)),
            _ => Err(ApiError::invalid(format!("Invalid integer: {text}"))
                .code("parameter_invalid_integer")
                .param(&param)),
        }
    }

    /// Whether the member is a text and not a branch.
    pub fn is_text(&self, member: &str) -> bool {
        matches!(self.nodes.get(member), Some(Node::Text(_)))
    }

    pub fn take_flag(&mut self, member: &str) -> Result<Option<bool>, ApiError> {
        match self.take_text(member)?.as_deref() {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(ApiError::invalid(format!("Invalid boolean: {other}")).param(&self.name_of(member))),
        }
    }

    /// One of several words.
    pub fn take_choice(&mut self, member: &str, words: &[&str]) -> Result<Option<String>, ApiError> {
        match self.take_text(member)? {
            Some(text) if !words.contains(&text.as_str()) => {
                let param = self.name_of(member);
                let message = format!("Invalid {param}: must be one of {}", words.join(", "));
                Err(ApiError::invalid(message).param(&param))
            }
            other => Ok(other),
        }
    }

    /// The members in brackets after `member`; an empty text counts as none.
    pub fn take_form(&mut self, member: &str) -> Result<Option<Form>, ApiError> {
        let name = self.name_of(member);
        match self.nodes.remove(member) {
            None => Ok(None),
            Some(Node::Branch(nodes)) => Ok(Some(Form { name, nodes })),
            Some(Node::Text(text)) if text.is_empty() => Ok(None),
            Some(Node::Text(_)) => Err(ApiError::invalid("Invalid object").param(&name)),
        }
    }

    /// A list of objects, ordered by index.
    pub fn take_forms(&mut self, member: &str) -> Result<Vec<Form>, ApiError> {
        let Some(list) = self.take_form(member)? else {
            return Ok(Vec::new());
        };
        list.elements()?
            .into_iter()
            .map(|(name, node)| match node {
                Node::Branch(nodes) => Ok(Form { name, nodes }),
                Node::Text(_) => Err(ApiError::invalid("Invalid object").param(&name)),
            })
            .collect()
    }

    /// A list of texts, ordered by index.
    pub fn take_texts(&mut self, member: &str) -> Result<Vec<String>, ApiError> {
        let Some(list) = self.take_form(member)? else {
            return Ok(Vec::new());
        };
        list.elements()?
            .into_iter()
            .map(|(name, node)| match node {
                Node::Text(text) => Ok(text),
                Node::Branch(_) => Err(ApiError::invalid("Invalid string").param(&name)),
            })
            .collect()
    }

    /// Free keys and values, such as metadata. None if absent. Empty values are kept: they mean "remove".
    pub fn take_pairs(&mut self, member: &str) -> Result<Option<BTreeMap<String, String>>, ApiError> {
        if matches!(self.nodes.get(member), Some(Node::Text(text)) if text.is_empty()) {
            self.nodes.remove(member);
            return Ok(Some(BTreeMap::new()));
        }
        let Some(branch) = self.take_form(member)? else {
            return Ok(None);
        };
        let mut pairs = BTreeMap::new();
        for (name, node) in branch.nodes {
            match node {
                Node::Text(text) => pairs.insert(name, text),
                Node::Branch(_) => {
                    return Err(ApiError::invalid("Invalid string").param(&format!("{}[{name}]", branch.name)));
                }
            };
        }
        Ok(Some(pairs))
    }

    /// Ignores a parameter of Stripe's API without effect here.
    pub fn ignore(&mut self, member: &str) {
        self.nodes.remove(member);
    }

    /// Rejects every parameter that has not been taken.
    pub fn reject_unknown(self) -> Result<(), ApiError> {
        match self.nodes.keys().next() {
            None => Ok(()),
            Some(member) => {
                let param = self.name_of(member);
                Err(ApiError::invalid(format!("Received unknown parameter: {param}"))
                    .code("parameter_unknown")
                    .param(&param))
            }
        }
    }

    /// Canonical text: the same for the same parameters in any order and encoding.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        write_canonical(&self.nodes, &mut text);
        text
    }

    fn elements(self) -> Result<Vec<(String, Node)>, ApiError> {
        let mut elements = Vec::new();
        for (key, node) in self.nodes {
            let name = format!("{}[{key}]", self.name);
            let Ok(number) = key.parse::<u32>() else {
                return Err(ApiError::invalid("Invalid array").param(&self.name));
            };
            elements.push((number, name, node));
        }
        elements.sort_by_key(|(number, ..)| *number);
        Ok(elements.into_iter().map(|(_, name, node)| (name, node)).collect())
    }
}

fn write_canonical(nodes: &BTreeMap<String, Node>, text: &mut String) {
    for (name, node) in nodes {
        text.push_str(&format!("{}:{name}", name.len()));
        match node {
            Node::Text(value) => text.push_str(&format!("={}:{value}", value.len())),
            Node::Branch(nodes) => {
                text.push('[');
                write_canonical(nodes, text);
                text.push(']');
            }
        }
    }
}

/// Parses `a[b][]` as `a`, `b` and an empty name. None for mismatched brackets.
fn path_of(name: &str) -> Option<Vec<&str>> {
    let (head, mut rest) = match name.find('[') {
        None => (name, ""),
        Some(at) => name.split_at(at),
    };
    let mut path = vec![head];
    while !rest.is_empty() {
        let (inner, after) = rest.strip_prefix('[')?.split_once(']')?;
        path.push(inner);
        rest = after;
    }
    let sound = !head.is_empty() && path.len() <= DEEPEST && path.iter().all(|part| !part.contains('['));
    sound.then_some(path)
}

/// The last value of a name wins. None if a name is both a text and a branch.
fn insert(nodes: &mut BTreeMap<String, Node>, path: &[&str], value: String) -> Option<()> {
    let (first, rest) = path.split_first()?;
    let key = if first.is_empty() { nodes.len().to_string() } else { (*first).to_owned() };
    if rest.is_empty() {
        let previous = nodes.insert(key, Node::Text(value));
        return (!matches!(previous, Some(Node::Branch(_)))).then_some(());
    }
    match nodes.entry(key).or_insert_with(|| Node::Branch(BTreeMap::new())) {
        Node::Branch(inner) => insert(inner, rest, value),
        Node::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_nest_and_lists_keep_their_order() {
        let mut form = Form::parse(
            "amount=5&card%5Bnumber%5D=4242+4242&items%5B10%5D%5Ba%5D=z&items[2][a]=y&expand[]=p&expand[]=q",
        )
        .unwrap();
        assert_eq!(form.take_integer("amount").unwrap(), Some(5));
        let mut card = form.take_form("card").unwrap().unwrap();
        assert_eq!(card.take_text("number").unwrap().as_deref(), Some("4242 4242"));
        assert_eq!(card.name_of("cvc"), "card[cvc]");
        let order: Vec<_> = form
            .take_forms("items")
            .unwrap()
            .into_iter()
            .map(|mut item| item.take_text("a").unwrap().unwrap())
            .collect();
        assert_eq!(order, ["y", "z"]);
        assert_eq!(form.take_texts("expand").unwrap(), ["p", "q"]);
        assert_eq!(form.reject_unknown(), Ok(()));
    }

    #[test]
    fn what_is_left_over_is_named_in_full() {
        let mut form = Form::parse("card[colour]=red").unwrap();
        let card = form.take_form("card").unwrap().unwrap();
        let error = card.reject_unknown().unwrap_err();
        assert_eq!(error.members()["code"], "parameter_unknown");
        assert_eq!(error.members()["param"], "card[colour]");
    }

    #[test]
    fn an_integer_is_digits_and_nothing_else() {
        for wrong in ["1.5", "1e3", "+1", "-", "one", "99999999999999999999", " 1"] {
            let mut form = Form::default();
            form.nodes.insert("amount".to_owned(), Node::Text(wrong.to_owned()));
            let error = form.take_integer("amount").unwrap_err();
            assert_eq!(error.members()["code"], "parameter_invalid_integer", "{wrong}");
        }
        let mut empty = Form::parse("amount=").unwrap();
        let error = empty.take_integer("amount").unwrap_err();
        assert_eq!(error.members()["code"], "parameter_invalid_empty");
    }

    #[test]
    fn an_empty_text_clears_and_an_absent_one_keeps() {
        let mut form = Form::parse("description=&metadata=").unwrap();
        assert_eq!(form.take_change("description"), Ok(Some(None)));
        assert_eq!(form.take_change("description"), Ok(None));
        assert_eq!(form.take_pairs("metadata"), Ok(Some(BTreeMap::new())));
    }

    #[test]
    fn broken_names_are_refused() {
        for broken in ["a[b=1", "a]b[=1", "[a]=1", "=1", "a[b]c=1", "a=1&a[b]=2", "a[b]=2&a=1"] {
            assert!(Form::parse(broken).is_err(), "{broken}");
        }
        let deep = format!("a{}=1", "[b]".repeat(DEEPEST));
        assert!(Form::parse(&deep).is_err());
    }

    #[test]
    fn order_and_encoding_do_not_matter_to_the_canonical_text() {
        let one = Form::parse("a[b]=1&c=2").unwrap().canonical();
        assert_eq!(one, Form::parse("c=2&a%5Bb%5D=1").unwrap().canonical());
        assert_ne!(one, Form::parse("a[b]=1&c=3").unwrap().canonical());
        assert_ne!(one, Form::parse("a[b]=12&c=").unwrap().canonical());
    }
}
