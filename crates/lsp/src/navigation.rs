//! Definitions and references, in this text and in all others.

use std::path::{Path, PathBuf};

use base::FxIndexSet;
use diag::SourceId;
use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse, Location,
    Position, ReferenceParams, Url,
};
use sema::Spec;

use crate::algorithm;
use crate::analysis::{Analysis, Occurrence, Site, site_of};
use crate::hover::root_entity;
use crate::snapshot::{Document, Snapshot};
use crate::worker::{Context, Failure};
use crate::workspace;

pub fn definition(
    context: &Context,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let place = params.text_document_position_params;
    let document = context.document(&place.text_document.uri)?;
    let offset = document.offset(place.position);
    let Some(analysis) = context.analysis_of(&document) else { return Ok(None) };
    if let Some(range) = declaration_in_algorithm(&document, &analysis, offset) {
        let location = Location { uri: document.url.clone(), range: document.range(range) };
        return Ok(Some(GotoDefinitionResponse::Scalar(location)));
    }
    let Some(site) = site_at(&analysis, &document, offset) else { return Ok(None) };
    Ok(location_of(context, &analysis.spec, &site).map(GotoDefinitionResponse::Scalar))
}

/// The declaration of a word of an algorithm, where the algorithm has it. What the module defines outside is not there.
fn declaration_in_algorithm(
    document: &Document,
    analysis: &Analysis,
    offset: usize,
) -> Option<std::ops::Range<usize>> {
    let places = pcal::places(&document.text)?;
    let word = algorithm::word_at(&document.text, &places, offset)?;
    let name = &document.text[word];
    let site = root_entity(&analysis.spec, name)
        .map(|entity| site_of(&analysis.spec, sema::spec::NameTarget::Entity(entity)).range());
    let is_outside = site.is_some_and(|site| {
        let within = |part: &std::ops::Range<usize>| part.start <= site.start && site.end <= part.end;
        !places.translation.as_ref().is_some_and(within) && !within(&places.algorithm)
    });
    if is_outside { None } else { algorithm::declaration(&document.text, &places, name) }
}

/// The definition of the name at a byte of a text.
pub fn site_at(analysis: &Analysis, document: &Document, offset: usize) -> Option<Site> {
    let name = analysis.source_of(&document.path).and_then(|source| analysis.name_at(source, offset));
    if let Some(name) = name {
        return Some(analysis.site(name.site));
    }
    let places = pcal::places(&document.text)?;
    let word = algorithm::word_at(&document.text, &places, offset)?;
    let entity = root_entity(&analysis.spec, &document.text[word])?;
    Some(analysis.site(site_of(&analysis.spec, sema::spec::NameTarget::Entity(entity))))
}

/// The place of a definition for the editor. Texts that come with Specline are written to a file that it can open.
fn location_of(context: &Context, spec: &Spec, site: &Site) -> Option<Location> {
    let source = spec.sources.ids().find(|&id| spec.sources.file(id).name() == site.file)?;
    let file = spec.sources.file(source);
    let range = site.start as usize..site.end as usize;
    let path = match file.is_file() {
        true => PathBuf::from(&site.file),
        false => written_module(&context.snapshot, &site.file, file.text())?,
    };
    context.snapshot.location(&path, file.text(), range)
}

fn written_module(snapshot: &Snapshot, name: &str, text: &str) -> Option<PathBuf> {
    let folder = snapshot.embedded_folder.as_ref()?;
    let path = folder.join(Path::new(name).file_name()?);
    if !path.is_file() {
        std::fs::create_dir_all(folder).ok()?;
        std::fs::write(&path, text).ok()?;
    }
    Some(path)
}

pub fn highlights(
    context: &Context,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let place = params.text_document_position_params;
    let document = context.document(&place.text_document.uri)?;
    let Some(analysis) = context.analysis_of(&document) else { return Ok(None) };
    let Some(site) = site_at(&analysis, &document, document.offset(place.position)) else { return Ok(None) };
    let here = analysis.source_of(&document.path);
    let places = analysis.places_of(&site).into_iter().filter(|(source, _)| Some(*source) == here);
    let ranges = places.map(|(_, name)| document.range(name.start as usize..name.end as usize));
    Ok(Some(ranges.map(|range| DocumentHighlight { range, kind: None }).collect()))
}

pub fn references(context: &Context, params: ReferenceParams) -> Result<Option<Vec<Location>>, Failure> {
    let place = params.text_document_position;
    let with_definition = params.context.include_declaration;
    let found = all_places(context, &place.text_document.uri, place.position)?;
    let Some((_, places)) = found else { return Ok(None) };
    let wanted = places.iter().filter(|place| with_definition || !place.is_definition);
    let locations = wanted.filter_map(|place| {
        context.snapshot.location(&place.path, &place.text, place.start as usize..place.end as usize)
    });
    Ok(Some(locations.collect()))
}

/// A place of a name in some file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamePlace {
    pub path: PathBuf,
    pub start: u32,
    pub end: u32,
    pub is_definition: bool,
    pub text: std::sync::Arc<str>,
}

/// Every place of the name at a position, in all files of the folders and in all open texts.
pub fn all_places(
    context: &Context,
    url: &Url,
    position: Position,
) -> Result<Option<(Site, Vec<NamePlace>)>, Failure> {
    let document = context.document(url)?;
    let Some(analysis) = context.analysis_of(&document) else { return Ok(None) };
    let Some(site) = site_at(&analysis, &document, document.offset(position)) else { return Ok(None) };
    let mut places: FxIndexSet<NamePlace> = FxIndexSet::default();
    add_places(&analysis, &site, &mut places);
    let name = analysis.spec.sources.ids().find(|&id| analysis.spec.sources.file(id).name() == site.file);
    let name = name.and_then(|source| {
        analysis
            .spec
            .sources
            .file(source)
            .text()
            .get(site.start as usize..site.end as usize)
            .map(str::to_owned)
    });
    // A symbol has several spellings, so every text may have it.
    let word = name.filter(|name| name.chars().all(algorithm::is_word_char));
    for subject in workspace::subjects_with(context, word.as_deref())? {
        context.cancel.check()?;
        let other = context.cache.analysis(&subject, &context.snapshot);
        add_places(&other, &site, &mut places);
    }
    let mut places: Vec<NamePlace> = places.into_iter().collect();
    places.sort_by(|a, b| (&a.path, a.start).cmp(&(&b.path, b.start)));
    places.dedup_by(|a, b| (&a.path, a.start) == (&b.path, b.start));
    Ok(Some((site, places)))
}

fn add_places(analysis: &Analysis, site: &Site, places: &mut FxIndexSet<NamePlace>) {
    let of_name = |(source, name): (SourceId, Occurrence)| {
        let file = analysis.spec.sources.file(source);
        file.is_file().then(|| NamePlace {
            path: PathBuf::from(file.name()),
            start: name.start,
            end: name.end,
            is_definition: name.is_definition(source),
            text: std::sync::Arc::clone(file.text()),
        })
    };
    places.extend(analysis.places_of(site).into_iter().filter_map(of_name));
}
