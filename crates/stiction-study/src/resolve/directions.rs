//! Degrees of freedom, directions and nodes.

use super::Resolve;
use super::matrices::limit;
use crate::scenario::{ActsOn, Nodes, OneOrMany, Scenario, SystemKind};
use stiction::Faults;

/// What the degrees of freedom of a system are.
pub(super) struct Degrees {
    pub n: usize,
    /// Degree of freedom of each node; none if the system has no nodes.
    pub(super) nodes: Option<Vec<Option<usize>>>,
    /// The motion of everything together.
    pub(super) together: Vec<f64>,
}

impl Degrees {
    /// Degrees of freedom that are all displacements.
    pub(super) fn plain(n: usize) -> Self {
        Self { n, nodes: None, together: vec![1.0; n] }
    }
}

impl Resolve<'_> {
    /// Puts the degree of freedom of a node that is measured in the place of the node.
    pub(super) fn measured_node(&mut self, scenario: &mut Scenario) {
        let nodes = match &scenario.system {
            _ if scenario.analysis.measured_place().is_none_or(|(_, _, node)| node.is_none()) => return,
            SystemKind::Chain(table) => {
                let n = table.n().ok().filter(|n| *n <= limit(&table.surroundings));
                n.map(|n| (0..n).map(Some).collect())
            }
            SystemKind::Beam(table) => {
                let beam = table.beam().ok().filter(|beam| beam.n() <= limit(&table.surroundings));
                beam.filter(|beam| Faults::of(|faults| beam.check(faults)).is_empty())
                    .map(|beam| beam.assemble().nodes)
            }
            SystemKind::Plate(table) => {
                let plate = Some(&table.plate).filter(|plate| plate.n() <= limit(&table.surroundings));
                plate
                    .filter(|plate| Faults::of(|faults| plate.check(faults)).is_empty())
                    .map(|plate| plate.assemble().nodes)
            }
            _ => Some(Vec::new()),
        };
        let Some((key, dof, node)) = scenario.analysis.measured_place() else { return };
        let key = format!("{key}.node");
        // what is wrong with the structure itself is reported when it is made
        let (Some(nodes), Some(wanted)) = (nodes, node.take()) else { return };
        if *dof != 0 {
            return self.fault(&key, "given beside dof, but there must be one", None);
        }
        match nodes.get(wanted) {
            Some(Some(own)) => *dof = *own,
            Some(None) => self.fault(&key, format!("{wanted}, but a support holds that node"), None),
            None if nodes.is_empty() => {
                self.fault(&key, "only chains, beams and plates have nodes", Some("give dof"));
            }
            None => self.fault(&key, format!("{wanted}, but the nodes are 0 to {}", nodes.len() - 1), None),
        }
    }

    /// The direction of a load: nodes that share it are one.
    pub(super) fn direction(&mut self, key: &str, degrees: &Degrees, on: &ActsOn) -> Vec<f64> {
        self.directions(key, degrees, on).into_iter().reduce(added).unwrap_or_default()
    }

    /// The directions that `dof`, `direction` or `node` gives: one for each node.
    pub(super) fn directions(&mut self, key: &str, degrees: &Degrees, on: &ActsOn) -> Vec<Vec<f64>> {
        let n = degrees.n;
        let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        match on {
            ActsOn { dof: Some(_), direction: Some(_), .. } => {
                self.fault(&format!("{key}.dof"), "given beside direction, but there must be one", None);
            }
            ActsOn { node: Some(_), dof, direction } if dof.is_some() || direction.is_some() => {
                let other = if dof.is_some() { "dof" } else { "direction" };
                let message = format!("given beside {other}, but there must be one");
                self.fault(&format!("{key}.node"), message, None);
            }
            ActsOn { node: Some(nodes), .. } => {
                let dofs = self.nodes(&format!("{key}.node"), degrees, nodes);
                return dofs.into_iter().map(unit).collect();
            }
            ActsOn { direction: Some(direction), .. } => return vec![direction.clone()],
            ActsOn { dof: Some(dof), .. } if *dof < n => return vec![unit(*dof)],
            ActsOn { dof: Some(dof), .. } => {
                let message = format!("{dof}, but the degrees of freedom are 0 to {}", n.saturating_sub(1));
                self.fault(&format!("{key}.dof"), message, None);
            }
            _ if n <= 1 => {}
            _ => {
                let hint = match degrees.nodes {
                    Some(_) => "say which node, from 0",
                    None => "say which degree of freedom, from 0, or give a direction",
                };
                self.fault(key, "neither dof nor direction is given", Some(hint));
            }
        }
        vec![unit(0)]
    }

    /// Takes note of the nodes whose displacements are reported.
    pub(crate) fn reported_nodes(&mut self, key: &str, nodes: &Nodes) {
        let listed: Vec<usize> = match nodes {
            Nodes::Word(_) => {
                (0..self.places.nodes().len()).filter(|i| self.places.nodes()[*i].is_some()).collect()
            }
            Nodes::One(node) => vec![*node],
            Nodes::Many(nodes) => nodes.clone(),
        };
        let known = self.places.nodes().to_vec();
        if known.is_empty() {
            return self.fault(key, "only chains, beams and plates have nodes", None);
        }
        for (i, node) in listed.iter().enumerate() {
            match known.get(*node) {
                Some(None) => self.fault(key, format!("{node}, but a support holds that node"), None),
                None => self.fault(key, format!("{node}, but the nodes are 0 to {}", known.len() - 1), None),
                Some(Some(_)) if listed[..i].contains(node) => {
                    self.fault(key, format!("node {node} is given twice"), None);
                }
                Some(Some(dof))
                    if self.reduced.as_ref().is_some_and(|reduced| reduced.reported(*dof).is_none()) =>
                {
                    let message = format!("{node}, but the reduced model does not report that node");
                    self.fault(key, message, Some("add it to nodes of reduce"));
                }
                Some(Some(_)) => {}
            }
        }
        if listed.is_empty() {
            self.fault(key, "an empty list", None);
        }
        self.places.reported = Some(listed);
    }

    /// The degrees of freedom that displace these nodes.
    pub(super) fn nodes(&mut self, key: &str, degrees: &Degrees, nodes: &Nodes) -> Vec<usize> {
        let Some(known) = &degrees.nodes else {
            self.fault(key, "only chains, beams and plates have nodes", Some("give dof or direction"));
            return vec![0];
        };
        let listed = match nodes {
            Nodes::Word(_) => return known.iter().flatten().copied().collect(),
            Nodes::One(node) => std::slice::from_ref(node),
            Nodes::Many(nodes) => nodes,
        };
        let mut dofs = Vec::new();
        for node in listed {
            match known.get(*node) {
                Some(Some(dof)) => dofs.push(*dof),
                Some(None) => self.fault(key, format!("{node}, but a support holds that node"), None),
                None => self.fault(key, format!("{node}, but the nodes are 0 to {}", known.len() - 1), None),
            }
        }
        if listed.is_empty() {
            self.fault(key, "an empty list", None);
        }
        dofs
    }
}

fn added(mut sum: Vec<f64>, more: Vec<f64>) -> Vec<f64> {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    sum
}

/// The path of member `i` of a list; one table stands for a list of one.
pub(super) fn member_key<T>(prefix: &str, list: &str, of: &OneOrMany<T>, i: usize) -> String {
    match of {
        OneOrMany::One(_) => format!("{prefix}.{list}"),
        OneOrMany::Many(_) => format!("{prefix}.{list}.{i}"),
    }
}
