//! Bytes as hexadecimal digits, and back.

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `None` unless the text is exactly `COUNT` bytes in hexadecimal digits.
pub fn unhex<const COUNT: usize>(text: &str) -> Option<[u8; COUNT]> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let bytes: Option<Vec<u8>> = digits?
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(high << 4 | low),
            _ => None,
        })
        .collect();
    bytes?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_bytes_are_each_others_inverse() {
        assert_eq!(hex(&[0, 0x1f, 0xff]), "001fff");
        assert_eq!(unhex("001FfF"), Some([0, 0x1f, 0xff]));
        for wrong in ["", "00", "001ff", "001fff00", "001ffg", "001fé"] {
            assert_eq!(unhex::<3>(wrong), None, "{wrong}");
        }
    }
}
