import { expect, test } from 'vitest'
import { ownersOf } from './owners.ts'

const of = (entries: Readonly<Record<string, string>>, known: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    ownersOf(
      new Map(Object.entries(entries).map(([instance, claims]) => [instance, claims.split(' ')])),
      new Map(Object.entries(known)),
    ),
  )

test('instances of one fleet get a claim each, and what is known is believed', () => {
  expect(of({ i1: 'a b', i2: 'a b' })).toEqual({ i1: 'a', i2: 'b' })
  expect(of({ i1: 'a b', i2: 'a b' }, { i1: 'b' })).toEqual({ i1: 'b', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'a b' }, { i2: 'a' })).toEqual({ i1: 'b', i2: 'a' })
})

test('a claim that was launched for again after a fleet was filled in part has one instance', () => {
  expect(of({ i1: 'a b', i2: 'a' })).toEqual({ i1: 'b', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'b c', i3: 'a' })).toEqual({ i1: 'b', i2: 'c', i3: 'a' })
  expect(of({ i1: 'a b', i2: 'b', i3: 'b c', i4: 'c' })).toEqual({ i1: 'a', i2: 'b', i3: 'c', i4: 'c' })
})

test('an instance too many shares a claim with another', () => {
  expect(of({ i1: 'a', i2: 'a' })).toEqual({ i1: 'a', i2: 'a' })
  expect(of({ i1: 'a b', i2: 'a b', i3: 'a b' })).toEqual({ i1: 'a', i2: 'b', i3: 'a' })
})
