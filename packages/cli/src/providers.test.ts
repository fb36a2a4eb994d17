import type { ProviderDescriptor } from '@kerf/provider-contract'
import { defineDescriptorConformance } from '@kerf/provider-contract/conformance'
import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { knownProviderNamed, knownProviders, offlineInstanceTypes, providerNamed, providers } from './providers.ts'
import { vocabularyFor } from './vocabulary.ts'

const all: readonly ProviderDescriptor[] = providers

for (const provider of all) defineDescriptorConformance(provider)

describe('the list of providers', () => {
  test('names and node classes are unique', () => {
    const names = all.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const kinds = all.flatMap(({ nodeClasses }) =>
      nodeClasses.map(({ resource: { kind } }) => `${kind.kind}.${kind.group}`),
    )
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  test('names and node classes of all known providers are unique', () => {
    const kinds = knownProviders.flatMap(({ nodeClasses }) => nodeClasses.map(({ resource }) => resource.kind.kind))
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(new Set(knownProviders.map(({ name }) => name)).size).toBe(knownProviders.length)
  })

  test('the label aliases of every provider work with the NodePools of every other provider', () => {
    const aliases = knownProviders.flatMap(({ labels }) => labels.aliases)
    expect(aliases.length).toBeGreaterThan(1)
    for (const { nodeClasses } of knownProviders)
      for (const { resource } of nodeClasses) {
        const { group, kind } = resource.kind
        const pool = nodePool('default', { templateSpec: { nodeClassRef: { group, kind, name: 'default' } } })
        const vocabulary = vocabularyFor([pool])
        for (const { alias, label } of aliases) expect(vocabulary.normalize(alias), `${alias} with ${kind}`).toBe(label)
      }
  })

  test('a setting, flag or variable that two providers share is the same in both', () => {
    const seen = new Map<string, unknown>()
    const own = (name: string, setting: unknown): void => {
      expect(seen.get(name) ?? setting, name).toBe(setting)
      seen.set(name, setting)
    }
    for (const { settings } of all) {
      for (const [key, setting] of Object.entries(settings())) {
        own(key, setting)
        if (setting.flag !== undefined) own(`--${setting.flag}`, setting)
        if (setting.env !== undefined) own(setting.env, setting)
      }
    }
  })

  test('an unknown name is refused with the list of known names', async () => {
    const names = all.map(({ name }) => name).join(', ')
    expect(() => providerNamed('none')).toThrow(`unknown provider none; known providers: ${names}`)
    expect(await offlineInstanceTypes('none')).toBeUndefined()
    expect(() => knownProviderNamed('none')).toThrow(`known providers: ${names}`)
  })
})
