import { expect, test } from 'vitest'
import { findOwners } from './owners.ts'

const of = (entries: Readonly<Record<string, string>>, known: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    findOwners(
      new Map(Object.entries(entries).map(([instance, claims]) => [instance, claims.split(' ')])),
      new Map(Object.entries(known)),
    ),
  )

test('each instance of one fleet gets its own claim, and known owners are kept', () => {
  expect(of({ i1: 'a b', i2: 'a b' })).toEqual({ i1: 'a', i2: 'b' })
  expect(of({ i1: 'a b', i2: 'a b' }, { i1: 'b' })).toEqual({ i1: 'b', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'a b' }, { i2: 'a' })).toEqual({ i1: 'b', i2: 'a' })
})

test('a claim that was launched again after a partly filled fleet has one instance', () => {
  expect(of({ i1: 'a b', i2: 'a' })).toEqual({ i1: 'b', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'b c', i3: 'a' })).toEqual({ i1: 'b', i2: 'c', i3: 'a' })
  expect(of({ i1: 'a b', i2: 'b', i3: 'b c', i4: 'c' })).toEqual({ i1: 'a', i2: 'b', i3: 'c', i4: 'c' })
})

test('a surplus instance shares a claim with another instance', () => {
  expect(of({ i1: 'a', i2: 'a' })).toEqual({ i1: 'a', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'a b', i3: 'a b' })).toEqual({ i1: 'a', i2: 'b', i3: 'a' })
})
