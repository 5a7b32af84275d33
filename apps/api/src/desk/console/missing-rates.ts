import { MissingRate } from '#accounting/books/missing-rate.ts'
import { refused } from '#desk/console/refused.ts'

/** Refuses what needs rates that are not set. */
export const withRates = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof MissingRate ? refused(error.message) : error
  }
}
