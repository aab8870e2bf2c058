//! The line protocols of `endmill engine`, driven as a program would drive them.

mod conversation;
mod database;
mod hub;
mod searches;

mod running;

#[path = "../program/mod.rs"]
mod program;
