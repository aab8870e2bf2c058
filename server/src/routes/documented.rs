//! Parameters and responses that many routes share in the OpenAPI document.

use std::collections::BTreeMap;

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::response::Response;
use utoipa::openapi::{ContentBuilder, ObjectBuilder, Ref, RefOr, Required, ResponseBuilder, Type};
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::error::ApiError;
use crate::extract::RulesetPath;

impl IntoParams for RulesetPath {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let id = ParameterBuilder::new()
            .name("ruleset")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some("The id of a ruleset"))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![id.build()]
    }
}

type Responses = BTreeMap<String, RefOr<Response>>;

fn errors<const N: usize>(errors: [(&str, &str); N]) -> Responses {
    let documented = errors.map(|(status, description)| {
        let schema = Ref::from_schema_name(ApiError::name());
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/json", content);
        (status.to_owned(), response.build().into())
    });
    documented.into()
}

/// The response when a client has sent too many requests.
pub struct RateError;

impl IntoResponses for RateError {
    fn responses() -> Responses {
        errors([("429", "Too many requests")])
    }
}

/// The error responses of everything that asks a ruleset.
pub struct RulesetErrors;

impl IntoResponses for RulesetErrors {
    fn responses() -> Responses {
        errors([
            ("404", "The ruleset is unknown, or a table is missing"),
            ("429", "Too many requests"),
            ("500", "A file of the database cannot be read"),
            ("503", "The server is busy"),
            ("504", "The request took too long"),
        ])
    }
}

/// The responses of a GET that asks a ruleset, other than the answer.
pub struct CachedResponses;

impl IntoResponses for CachedResponses {
    fn responses() -> Responses {
        let mut responses = RulesetErrors::responses();
        let unchanged = ResponseBuilder::new().description("The client has the answer");
        responses.insert("304".to_owned(), unchanged.build().into());
        responses
    }
}

/// The error responses of a POST that asks a ruleset.
pub struct PostErrors;

impl IntoResponses for PostErrors {
    fn responses() -> Responses {
        let mut responses = RulesetErrors::responses();
        responses.extend(errors([("413", "The body is too long")]));
        responses
    }
}
