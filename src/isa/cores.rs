//! Whose core it is. In: vendor, family and model as the CPU says them, and what it has that no older one has. Out: the
//! name of the microarchitecture whose figures fit best.

/// The microarchitecture of a CPU; `fp16` is whether it has AVX512-FP16, as Intel's have since Sapphire Rapids. A
/// hypervisor may say the model of an older one, which has not.
pub(super) fn name(vendor: &str, family: u8, model: u8, fp16: bool) -> &'static str {
    match (vendor, family, model) {
        ("GenuineIntel", 6, _) if fp16 => "spr",
        // Haswell, Broadwell, and Skylake and its like.
        ("GenuineIntel", 6, 0x3c | 0x3f | 0x45 | 0x46) => "haswell",
        ("GenuineIntel", 6, 0x3d | 0x47 | 0x4f | 0x56) => "haswell",
        ("GenuineIntel", 6, 0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6) => "haswell",
        ("GenuineIntel", 6, 0x55) => "skx",
        // Ice Lake, Tiger Lake, Rocket Lake.
        ("GenuineIntel", 6, 0x6a | 0x6c | 0x7d | 0x7e | 0x8c | 0x8d | 0xa7) => "icelake",
        // Sapphire, Emerald and Granite Rapids.
        ("GenuineIntel", 6, 0x8f | 0xcf | 0xad | 0xae) => "spr",
        // Alder, Raptor and Meteor Lake have its cores without AVX-512; those of Arrow, Lunar and Panther Lake are
        // their heirs, and not measured.
        ("GenuineIntel", 6, 0x97 | 0x9a | 0xb7 | 0xba | 0xbf) => "spr",
        ("GenuineIntel", 6, 0xaa | 0xac | 0xb5 | 0xbd | 0xc5 | 0xc6 | 0xcc) => "spr",
        ("AuthenticAMD", 0x17, _) | ("HygonGenuine", ..) => "zen3",
        ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => "zen4",
        ("AuthenticAMD", 0x19, 0x00..=0x0f | 0x20..=0x5f) => "zen3",
        ("AuthenticAMD", 0x1a, _) => "zen5",
        _ => "generic",
    }
}

#[cfg(test)]
mod tests {
    use super::name;
    use crate::target::{TARGETS, Tier};

    #[test]
    fn cores_are_known_by_their_numbers() {
        let (intel, amd) = ("GenuineIntel", "AuthenticAMD");
        for (vendor, family, model, expected) in [
            (intel, 6, 0x3c, "haswell"), // Haswell
            (intel, 6, 0x4f, "haswell"), // Broadwell server
            (intel, 6, 0x9e, "haswell"), // Coffee Lake
            (intel, 6, 0x55, "skx"),     // Cascade Lake
            (intel, 6, 0x6a, "icelake"), // Ice Lake server
            (intel, 6, 0x8c, "icelake"), // Tiger Lake
            (intel, 6, 0xa7, "icelake"), // Rocket Lake
            (intel, 6, 0x8f, "spr"),     // Sapphire Rapids
            (intel, 6, 0xcf, "spr"),     // Emerald Rapids
            (intel, 6, 0xad, "spr"),     // Granite Rapids
            (intel, 6, 0x97, "spr"),     // Alder Lake
            (intel, 6, 0xaa, "spr"),     // Meteor Lake
            (intel, 6, 0xc6, "spr"),     // Arrow Lake
            (intel, 6, 0xbd, "spr"),     // Lunar Lake
            (intel, 6, 0x2a, "generic"), // Sandy Bridge
            (intel, 15, 0x8f, "generic"),
            (amd, 0x17, 0x71, "zen3"), // Zen 2
            (amd, 0x19, 0x01, "zen3"), // Milan
            (amd, 0x19, 0x21, "zen3"), // Vermeer
            (amd, 0x19, 0x50, "zen3"), // Cezanne
            (amd, 0x19, 0x11, "zen4"), // Genoa
            (amd, 0x19, 0x61, "zen4"), // Raphael
            (amd, 0x19, 0x74, "zen4"), // Phoenix
            (amd, 0x19, 0xa0, "zen4"), // Bergamo
            (amd, 0x19, 0x80, "generic"),
            (amd, 0x1a, 0x44, "zen5"), // Granite Ridge
            (amd, 6, 0x8f, "generic"),
            ("HygonGenuine", 0x18, 0x00, "zen3"),
            ("CentaurHauls", 7, 0x3b, "generic"),
            ("", 0, 0, "generic"),
        ] {
            assert_eq!(
                name(vendor, family, model, false),
                expected,
                "{vendor} {family:#x} {model:#x}"
            );
        }
    }

    #[test]
    fn a_model_that_cannot_be_is_not_believed() {
        assert_eq!(name("GenuineIntel", 6, 0xa7, true), "spr");
        assert_eq!(name("GenuineIntel", 6, 0x8f, true), "spr");
        assert_eq!(name("AuthenticAMD", 0x1a, 0x44, true), "zen5");
    }

    /// No tier of an unknown CPU is lost.
    #[test]
    fn every_core_has_a_row() {
        for vendor in ["GenuineIntel", "AuthenticAMD", "HygonGenuine", "?"] {
            let all = (0..=0x1a).flat_map(|f| (0..=u8::MAX).map(move |m| (f, m)));
            for (family, model) in all.step_by(if cfg!(miri) { 53 } else { 1 }) {
                let name = name(vendor, family, model, false);
                let row = TARGETS.iter().find(|target| target.name == name);
                let least = if name == "generic" { Tier::Avx512Vbmi } else { Tier::Avx2 };
                assert!(row.is_some_and(|target| target.tier >= least), "{name}");
            }
        }
    }
}
