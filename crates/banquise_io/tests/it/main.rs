//! Integration tests of `banquise_io`, in one program to keep linking short.

mod figure;
