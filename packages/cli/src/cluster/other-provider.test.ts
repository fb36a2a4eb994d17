import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { defaultProvider, knownProviders } from '../providers.ts'
import { otherProvider } from './other-provider.ts'

const clouds = knownProviders.filter(({ name }) => name !== defaultProvider)
const withTypes = clouds.filter(({ instanceTypes }) => instanceTypes !== undefined)
const groups = new Map(
  knownProviders.flatMap(({ nodeClasses }) =>
    nodeClasses.map(({ resource: { kind } }) => [kind.kind, kind.group] as const),
  ),
)
const pool = (kind: string) =>
  nodePool('general', { templateSpec: { nodeClassRef: { group: groups.get(kind) ?? 'g', kind, name: 'n' } } })
const refusal = (kind: string, instanceTypes = 'kwok'): string | undefined =>
  otherProvider([pool(kind)], { source: instanceTypes })?.message

test.each(clouds)('a pool of $name is not planned with the types of another provider', (cloud) => {
  const [{ resource }] = cloud.nodeClasses
  const { kind } = resource.kind
  const choice = withTypes.includes(cloud) ? cloud.name : 'FILE'
  expect(refusal(kind)).toContain(
    `NodePool general uses node class kind ${kind}, but the instance types are those of kwok: use --instance-types ${choice}`,
  )
  for (const other of withTypes.filter((each) => each !== cloud))
    expect(refusal(kind, other.name)).toContain(`those of ${other.name}: use --instance-types ${choice}`)
})

test('a pool may use types of its own provider or of a file; a KWOK pool may use any types', () => {
  for (const cloud of withTypes) {
    const [{ resource }] = cloud.nodeClasses
    expect(refusal(resource.kind.kind, cloud.name)).toBeUndefined()
    expect(refusal(resource.kind.kind, 'types.json')).toBeUndefined()
    expect(refusal('KWOKNodeClass', cloud.name)).toBeUndefined()
  }
  expect(refusal('KWOKNodeClass')).toBeUndefined()
})
