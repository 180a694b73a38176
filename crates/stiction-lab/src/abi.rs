//! The border between the page and the core: memory is asked for, a question is put there, an answer is fetched.
//!
//! The page calls `room(n)`, writes a question of n bytes there, calls `ask()`, reads the answer at `answer_at()` of length
//! `answer_length()`. It gives two functions: `progress(fraction)` receives the fraction done and answers 0 to stop it,
//! `panicked(at, n)` hears the text of a panic before the instance ends.
#![allow(unsafe_code)]

use std::cell::RefCell;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    fn progress(fraction: f64) -> i32;
    fn panicked(at: *const u8, n: usize);
}

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Prepares the instance: a panic is reported to the page.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the page reads n bytes at that address before this call returns
        unsafe { panicked(text.as_ptr(), text.len()) }
    }));
}

/// Where a question of `n` bytes may be written.
#[unsafe(no_mangle)]
pub extern "C" fn room(n: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(n, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question that was written.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = QUESTION.take();
    ANSWER.take();
    // SAFETY: the page's function takes a number and returns one
    let mut go_on = |fraction: f64| unsafe { progress(fraction) != 0 };
    let bytes = crate::answer(&String::from_utf8_lossy(&question), &mut go_on).into_bytes();
    ANSWER.set(bytes);
}

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Its length (bytes).
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
