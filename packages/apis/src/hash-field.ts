import { DurationError, parseDurationNanoseconds } from './duration.ts'
import { type FieldHash, hashBoolean, hashInt32, hashInteger, hashStruct, hashText } from './structural-hash.ts'

/**
 * Returns the hash of a field that is a pointer, a list or a map in Go. If such a field is present, it is part of the hash, even if its
 * value is zero.
 */
export const hashGiven = <T>(value: T | undefined, hash: (value: T) => bigint): FieldHash =>
  value === undefined ? undefined : hash(value)

const text = (value: string | undefined): FieldHash => hashGiven(value, hashText)

/**
 * Hash functions for fields, by the field's type in Go. The functions named `plain…` are for fields that are not pointers in Go: their zero
 * value is treated as absent.
 */
export const hashField = {
  text,
  flag: (value: boolean | undefined): FieldHash => hashGiven(value, hashBoolean),
  int32: (value: number | undefined): FieldHash => hashGiven(value, hashInt32),
  int64: (value: number | undefined): FieldHash => hashGiven(value, hashInteger),
  plainText: (value: string | undefined): FieldHash => (value === '' ? undefined : text(value)),
  plainFlag: (value: boolean | undefined): FieldHash => (value === true ? hashBoolean(true) : undefined),
} as const

/** Hashes a duration by its length. A string that is not a duration is hashed unchanged, because upstream cannot read such an object. */
export const hashDuration = (duration: string): bigint => {
  try {
    const nanoseconds = parseDurationNanoseconds(duration)
    return hashStruct('Duration', [['Duration', nanoseconds === 0n ? undefined : hashInteger(nanoseconds)]])
  } catch (error) {
    if (error instanceof DurationError) return hashText(duration)
    throw error
  }
}
