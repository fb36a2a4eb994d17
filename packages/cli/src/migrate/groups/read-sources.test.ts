import { kinds } from '@kerf/apis'
import type { ReadGroup, SourceGroup } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { decidedSource, ownGroup, type ProviderSource } from './provider-sources.ts'
import { readSources } from './read-sources.ts'

const groupNamed = (name: string, at: string): SourceGroup => ({
  ...{ name, at, origin: 'pool', min: 0, max: 3, desired: 1, instanceTypes: [], capacityTypes: ['spot'], zones: [] },
  ...{ labels: {}, taints: [], startupTaints: [], options: {}, launch: { image: name } },
})

/** Returns a migration source for a made-up provider. It reads documents and Terraform resources that have the provider's name. */
const sourceNamed = (provider: string, rest: Partial<ProviderSource> = {}): ProviderSource => ({
  provider,
  nodeClass: kinds.Node,
  texts: { documents: [], load: () => Promise.reject(new Error('never loaded')) },
  cloudProviders: [`${provider}-cloud`],
  decidedBy: 'one group',
  capacityLabels: {},
  unreadResources: { [`${provider}_schedule`]: `${provider} has no schedules` },
  draftNodeClass: () => ({ spec: {}, conversions: [], questions: [] }),
  reader: () => {
    const read: ReadGroup[] = []
    const add = (name: string, at: string): void => {
      read.push({ group: groupNamed(name, at), conversions: [], questions: [] })
    }
    return {
      read: (document, at) => {
        if (document[provider] === undefined) return false
        add(String(document[provider]), at)
        return true
      },
      readResources: (resources, at) => {
        const used = resources.filter(({ type }) => type === `${provider}_pool`)
        for (const { values, address } of used) add(String(values['name']), `${at} ${address}`)
        return new Set(used)
      },
      finish: () => ({ groups: read.map(({ group }) => group), conversions: [], questions: [] }),
    }
  },
  ...rest,
})

const [acme, other] = [sourceNamed('acme'), sourceNamed('other')]

const resource = (type: string, name: string, mode = 'managed') => ({
  mode,
  type,
  address: `${type}.x`,
  values: { name },
})

const state = (resources: readonly object[], modules: readonly object[] = []) => ({
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: { root_module: { resources, child_modules: modules } },
})

test('a Terraform state may have groups of several providers, and every resource that no provider reads is reported', async () => {
  const value = state(
    [resource('other_pool', 'b'), resource('acme_schedule', 's'), resource('acme_pool', 'found', 'data')],
    [{ resources: [resource('acme_pool', 'a'), resource('dns', 'd'), resource('dns', 'e')] }],
  )
  const { groups, conversions } = await readSources([{ value, file: 'state.json' }], [acme, other])
  expect(groups.map(({ name, provider, at }) => [name, provider, at])).toEqual([
    ['a', 'acme', 'state.json acme_pool.x'],
    ['b', 'other', 'state.json other_pool.x'],
  ])
  expect(conversions.map(({ field, because }) => `${field}: ${because}`)).toEqual([
    '1 acme_schedule: acme has no schedules',
    '2 dns: this type of resource says nothing about node groups',
  ])
})

test('a group that two documents describe counts once, and the report names the first document', async () => {
  const documents = [{ acme: 'a' }, { other: 'a' }].map((value, index) => ({ value, file: `${index}.json`, line: 1 }))
  const { groups, groupConversions } = await readSources(documents, [acme, other])
  expect(groups.map(({ provider }) => provider)).toEqual(['acme'])
  expect(groupConversions).toMatchObject([{ object: 'pool a', because: 'it is described in 0.json:1 already' }])
})

const [byAll, fallback] = [
  sourceNamed('all', { decidedBy: 'all groups' }),
  sourceNamed('rest', { decidedBy: 'nothing else' }),
]
const of = (...providers: readonly string[]): readonly SourceGroup[] =>
  providers.map((provider) => ({ ...groupNamed(provider, ''), provider }))

test.each([
  ['one group of its own, even if the flag names another', of('all', 'acme'), 'all-cloud', 'acme'],
  ['the flag of Cluster Autoscaler', of('all'), 'rest-cloud', 'rest'],
  ['all groups', of('all', 'all'), 'unknown', 'all'],
  ['nothing else', of('all', 'unknown'), undefined, 'rest'],
])('%s decides whose node classes are drafted', (_why, groups, flag, provider) =>
  expect(decidedSource(groups, flag, [acme, byAll, fallback]).provider).toBe(provider),
)

test('a source does not get the launch settings of a group of another provider', () => {
  const [group] = of('acme')
  if (group === undefined) throw new Error('there is no group')
  expect(ownGroup(group, acme)).toBe(group)
  expect(ownGroup(group, other)).not.toHaveProperty('launch')
})
