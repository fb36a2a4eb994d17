import { expect, test } from 'vitest'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { difference } from './device-proposal.ts'

const zones = (...values: readonly string[]): Requirement => Requirement.in('topology.kubernetes.io/zone', values)
const keys = (requirements: Requirements): readonly string[] => [...requirements.byKey.keys()]

test('a proposal contains the labels that its devices add or narrow', () => {
  const arch = Requirement.in('kubernetes.io/arch', ['amd64'])
  const before = Requirements.of([zones('a', 'b'), arch])
  const rack = Requirement.in('rack', ['1'])
  const narrowed = new Requirements(
    new Map([...before.byKey, ['topology.kubernetes.io/zone', zones('a')], ['rack', rack]]),
  )
  expect(keys(difference(narrowed, before))).toEqual(['topology.kubernetes.io/zone', 'rack'])
  expect(difference(narrowed, before).byKey.get('topology.kubernetes.io/zone')).toEqual(zones('a'))
  expect(difference(before, before)).toBe(Requirements.none)
  expect(keys(difference(Requirements.of(before.byKey.values()), before))).toEqual([])
})
