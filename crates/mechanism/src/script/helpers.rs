//! The helpers of scripts that concern the class.
//!
//! A sample is a list of examples `[x, y]`; a version space is labels, one for each hypothesis, 1
//! when it is a member. Both are plain data, and every helper takes either.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, Position as Place};

use super::Tools;
use super::fault::{Helped, Refused, fault};
use super::host::Halt;
use super::labels::Labels;
use super::value::Value;
use littlestone_base::error::Error;
use littlestone_class::VersionSpace;

/// Makes the helpers known to the interpreter; without a class they say that one is needed.
pub fn register(engine: &mut Engine, tools: Option<&Rc<Tools>>) {
    let class = Helpers(tools.map(Rc::clone));
    let h = class.clone();
    engine.register_fn("points", move || h.points());
    let h = class.clone();
    engine.register_fn("hypotheses", move || h.hypotheses());
    let h = class.clone();
    engine.register_fn("position", move |x: Dynamic| h.position(x));
    let h = class.clone();
    engine.register_fn("version_space", move |kept: Dynamic| h.version_space(kept));
    let h = class.clone();
    engine.register_fn("restrict", move |kept: Dynamic, x: Dynamic, y: Dynamic| {
        h.restrict(kept, x, y)
    });
    let h = class.clone();
    engine.register_fn("consistent", move |kept: Dynamic| h.consistent(kept));
    let h = class.clone();
    engine.register_fn("soa", move |kept: Dynamic, x: Dynamic| h.soa(kept, x));
    let h = class.clone();
    engine.register_fn("soa_function", move |kept: Dynamic| h.soa_function(kept));
    let h = class;
    engine.register_fn("ldim", move |kept: Dynamic| h.ldim(kept));
}

#[derive(Clone)]
struct Helpers(Option<Rc<Tools>>);

impl Helpers {
    fn tools(&self) -> Helped<&Tools> {
        self.0.as_deref().ok_or_else(|| fault("a class for this script (--class)", "none"))
    }

    fn points(&self) -> Helped<Array> {
        Ok(self.tools()?.class().point_names().iter().map(|x| x.clone().into()).collect())
    }

    fn hypotheses(&self) -> Helped<Array> {
        let class = self.tools()?.class();
        Ok((0..class.hypotheses()).map(|h| Dynamic::from(labels(&class.labels(h)))).collect())
    }

    fn position(&self, x: Dynamic) -> Helped<INT> {
        INT::try_from(self.point(x)?).map_err(|_| fault("an index", "a larger one"))
    }

    fn version_space(&self, kept: Dynamic) -> Helped<Labels> {
        Ok(shown(&self.space(kept)?, self.tools()?))
    }

    fn restrict(&self, kept: Dynamic, x: Dynamic, y: Dynamic) -> Helped<Labels> {
        let (space, tools) = (self.space(kept)?, self.tools()?);
        Ok(shown(&tools.restrict(&space, self.point(x)?, label(y)?), tools))
    }

    fn consistent(&self, kept: Dynamic) -> Helped<bool> {
        Ok(!self.space(kept)?.is_empty())
    }

    fn soa(&self, kept: Dynamic, x: Dynamic) -> Helped<INT> {
        let space = self.space(kept)?;
        self.tools()?.soa(&space, self.point(x)?).map(INT::from).map_err(refused)
    }

    fn soa_function(&self, kept: Dynamic) -> Helped<Labels> {
        let function = self.tools()?.soa_function(&self.space(kept)?).map_err(refused)?;
        Ok(labels(&function))
    }

    fn ldim(&self, kept: Dynamic) -> Helped<INT> {
        self.tools()?.dimension(&self.space(kept)?).map(INT::from).map_err(refused)
    }

    fn point(&self, x: Dynamic) -> Helped<usize> {
        let class = self.tools()?.class();
        let name = Value::from_dynamic(x).map_err(|t| fault("a point", t))?.symbol();
        class.point_index(&name).ok_or_else(|| {
            fault(
                format!("one of the points {}", class.point_names().join(", ")),
                format!("`{name}`"),
            )
        })
    }

    fn space(&self, kept: Dynamic) -> Helped<VersionSpace> {
        let tools = self.tools()?;
        let kept = kept.flatten();
        if kept.is_string() {
            return self.members(&kept.into_string().unwrap_or_default());
        }
        if let Some(members) = kept.read_lock::<Labels>() {
            return self.members(members.as_str());
        }
        let kept = kept.into_array().map_err(|found| {
            fault(
                "a list of examples [x, y] or a version space",
                format!("a value of type {found}"),
            )
        })?;
        let mut space = tools.full();
        for example in kept {
            let pair = example.into_array().ok().and_then(|p| <[Dynamic; 2]>::try_from(p).ok());
            let Some([x, y]) = pair else {
                return Err(fault("a list of examples [x, y]", "an entry of another shape"));
            };
            space = tools.restrict(&space, self.point(x)?, label(y)?);
        }
        Ok(space)
    }

    fn members(&self, members: &str) -> Helped<VersionSpace> {
        let class = self.tools()?.class();
        if members.len() != class.hypotheses() || members.bytes().any(|b| !matches!(b, b'0' | b'1'))
        {
            return Err(fault(
                format!("a version space: {} labels 0 or 1", class.hypotheses()),
                format!("`{members}`"),
            ));
        }
        let mut words = vec![0u64; class.hypotheses().div_ceil(64)];
        for (h, member) in members.bytes().enumerate() {
            words[h / 64] |= u64::from(member == b'1') << (h % 64);
        }
        Ok(VersionSpace::full(class).restrict(&words, true))
    }
}

fn shown(space: &VersionSpace, tools: &Tools) -> Labels {
    (0..tools.class().hypotheses()).map(|h| space.contains(h)).collect()
}

fn labels(shown: &str) -> Labels {
    shown.bytes().map(|b| b == b'1').collect()
}

/// The label that a script's value stands for.
pub(super) fn label(y: Dynamic) -> Helped<bool> {
    let value = Value::from_dynamic(y).map_err(|found| fault("a label 0 or 1", found))?;
    value.bit().ok_or_else(|| fault("a label 0 or 1", format!("`{value}`")))
}

#[expect(clippy::unnecessary_box_returns, reason = "the interpreter takes boxed errors")]
fn refused(error: Error) -> Refused {
    match error {
        Error::Limit { stopped, .. } => {
            let halt = Dynamic::from(Halt::Limit(stopped));
            Box::new(EvalAltResult::ErrorTerminated(halt, Place::NONE))
        }
        other => fault("an answer of the helper", other.to_string()),
    }
}
