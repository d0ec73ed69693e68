//! Parts of a text that an editor can fold: modules, definitions, proofs, comments.

use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};
use syntax::ast::{Module, Proof, ProofKind, UnitKind};

use crate::snapshot::{Document, TextKind};
use crate::symbols::parse;
use crate::tokens::comments;
use crate::worker::{Context, Failure};

pub fn ranges(context: &Context, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    if document.kind != TextKind::Module {
        return Ok(None);
    }
    let mut folds = Folds { document: &document, found: Vec::new() };
    let parsed = parse(&document.text);
    parsed.file.modules.iter().for_each(|module| folds.module(module));
    for comment in comments(&document.text, &parsed.tokens) {
        folds.add(comment, Some(FoldingRangeKind::Comment));
    }
    if let Some(translation) = pcal::places(&document.text).and_then(|places| places.translation) {
        let end = document.text[..translation.end].trim_end().len();
        folds.add(translation.start..end, Some(FoldingRangeKind::Region));
    }
    Ok(Some(folds.found))
}

struct Folds<'a> {
    document: &'a Document,
    found: Vec<FoldingRange>,
}

impl Folds<'_> {
    /// Adds a part if it has more than one line.
    fn add(&mut self, range: std::ops::Range<usize>, kind: Option<FoldingRangeKind>) {
        let range = self.document.range(range);
        if range.start.line < range.end.line {
            self.found.push(FoldingRange {
                start_line: range.start.line,
                start_character: None,
                end_line: range.end.line,
                end_character: None,
                kind,
                collapsed_text: None,
            });
        }
    }

    fn module(&mut self, module: &Module) {
        self.add(module.span.range(), None);
        for unit in &module.units {
            match &unit.kind {
                UnitKind::Module(nested) => base::with_stack(|| self.module(nested)),
                UnitKind::Theorem { proof, .. } => {
                    self.add(unit.span.range(), None);
                    proof.iter().for_each(|proof| self.proof(proof));
                }
                UnitKind::Constants(_)
                | UnitKind::Variables(_)
                | UnitKind::Recursive(_)
                | UnitKind::Operator { .. }
                | UnitKind::Function { .. }
                | UnitKind::Instance(_)
                | UnitKind::NamedInstance { .. }
                | UnitKind::Assume { .. }
                | UnitKind::UseHide(_) => self.add(unit.span.range(), None),
            }
        }
    }

    fn proof(&mut self, proof: &Proof) {
        let ProofKind::Steps(steps) = &proof.kind else { return };
        for step in steps {
            let end = step.proof.as_ref().map_or(step.span.end, |proof| proof.span.end.max(step.span.end));
            self.add(step.span.range().start..end as usize, None);
            if let Some(proof) = &step.proof {
                base::with_stack(|| self.proof(proof));
            }
        }
    }
}
