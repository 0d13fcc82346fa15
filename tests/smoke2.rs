//! trial
use retile::*;
fn check(src: &Layout, dst: &Layout, attr: &Attr) -> std::result::Result<(), String> {
    let sizes = attr.sizes(src, dst).map_err(|e| e.to_string())?;
    let mut a: Vec<u64> = vec![0; sizes.src / 8 + 1];
    let sb = bytes(&mut a);
    for (i, b) in sb.iter_mut().enumerate() {
        *b = (i as u32).wrapping_mul(2654435761).rotate_right(13) as u8 ^ (i >> 8) as u8;
    }
    let sb = &sb[..sizes.src];
    let mut x = vec![0xa5a5a5a5a5a5a5a5u64; sizes.dst / 8 + 2];
    let mut y = x.clone();
    let (x, y) = (&mut bytes(&mut x)[..sizes.dst + 8], &mut bytes(&mut y)[..sizes.dst + 8]);
    reference::reorder(src, sb, dst, x, attr, &Values::default()).map_err(|e| e.to_string())?;
    let r = Reorder::with_attr(src, dst, attr).map_err(|e| e.to_string())?;
    r.run_bytes(sb, y, &Values::default()).map_err(|e| e.to_string())?;
    if x != y {
        let at = x.iter().zip(y.iter()).position(|(a, b)| a != b).unwrap();
        return Err(format!("differs at byte {at}: {:?}", r.kernel().plan().problem));
    }
    Ok(())
}
fn bytes(v: &mut [u64]) -> &mut [u8] {
    bytemuck::cast_slice_mut(v)
}
#[test]
fn cases() {
    let text = std::fs::read_to_string("/work/shared/cases/check.txt").unwrap();
    let (mut bad, mut n, mut skip) = (0, 0, 0);
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let c: Vec<&str> = line.split(' ').collect();
        if c.len() > 2 {
            skip += 1;
            continue;
        }
        n += 1;
        let src: Layout = c[0].parse().unwrap();
        let dst = src.destination(c[1]).unwrap();
        if let Err(e) = check(&src, &dst, &Attr::new()) {
            bad += 1;
            if bad < 12 {
                println!("{line}: {e}\n");
            }
        }
    }
    println!("{n} {bad} {skip}");
    assert_eq!(bad, 0);
}
