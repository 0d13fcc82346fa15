//! Texts in files. In: layouts, attributes, element types, tiers and localities. Out: the texts that print and parse
//! them, whatever the file's format.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Attr, DType, Layout, Locality, Tier};

macro_rules! as_text {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

as_text!(Layout, Attr, DType, Tier, Locality);

#[cfg(test)]
mod tests {
    use std::fmt;

    use serde::de::IntoDeserializer;
    use serde::de::value::{Error as Fault, StrDeserializer};

    use super::*;

    /// A formatter is a serializer of one text.
    struct Written<T>(T);

    impl<T: Serialize> fmt::Display for Written<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Fault> {
        let deserializer: StrDeserializer<'de, Fault> = text.into_deserializer();
        T::deserialize(deserializer)
    }

    #[test]
    fn texts_there_and_back() {
        let layout: Layout = "s8:nChw16c:1x17x3x3:upper=0,0,1,1:fill=1".parse().unwrap();
        let text = Written(&layout).to_string();
        assert_eq!(text, layout.to_string());
        assert_eq!(read::<Layout>(&text).unwrap(), layout);
        let attr = Attr::new().dst_scale(1).s8s8_compensation(1);
        assert_eq!(read::<Attr>(&Written(&attr).to_string()).unwrap(), attr);
        assert_eq!(read::<DType>(&Written(DType::Bf16).to_string()).unwrap(), DType::Bf16);
        assert_eq!(read::<Tier>(&Written(Tier::Avx2).to_string()).unwrap(), Tier::Avx2);
        let kept = Written(Locality::Keep).to_string();
        assert_eq!(read::<Locality>(&kept).unwrap(), Locality::Keep);
    }

    #[test]
    #[cfg_attr(miri, ignore = "slips are looked for in all names")]
    fn what_is_no_layout_says_so() {
        let error = read::<Layout>("f32:nchv:1x2x3x4").unwrap_err();
        assert!(error.to_string().contains("nchv"), "{error}");
    }
}
