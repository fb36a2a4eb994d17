import type { ProviderDescriptor } from '@kerf/provider-contract'
import { defineDescriptorConformance } from '@kerf/provider-contract/conformance'
import { describe, expect, test } from 'vitest'
import { offlineInstanceTypes, providerNamed, providers } from './providers.ts'

const all: readonly ProviderDescriptor[] = providers

for (const provider of all) defineDescriptorConformance(provider)

describe('the list of providers', () => {
  test('names and node classes differ', () => {
    const names = all.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const kinds = all.flatMap(({ nodeClasses }) =>
      nodeClasses.map(({ resource: { kind } }) => `${kind.kind}.${kind.group}`),
    )
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  test('no setting, flag or variable belongs to two of them', () => {
    const tables = all.map(({ settings }) => settings(['kwok']))
    const names = tables.flatMap((table) => [
      ...Object.keys(table),
      ...Object.values(table).flatMap(({ flag, env }) =>
        [...(flag === undefined ? [] : [`--${flag}`]), env ?? []].flat(),
      ),
    ])
    expect(new Set(names).size).toBe(names.length)
  })

  test('a name that is not in it is refused with those that are', async () => {
    expect(() => providerNamed('gcp')).toThrow('there is no provider gcp; known are kwok, aws, cluster-api')
    expect(await offlineInstanceTypes('gcp')).toBeUndefined()
  })
})
