import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { otherProvider } from './other-provider.ts'

const pool = (kind: string) => nodePool('general', { templateSpec: { nodeClassRef: { group: 'g', kind, name: 'n' } } })
const refusal = (kind: string, instanceTypes = 'kwok'): string | undefined =>
  otherProvider([pool(kind)], { source: instanceTypes })?.message

test('a pool of one provider is not planned with the types of another', () => {
  expect(refusal('EC2NodeClass')).toBe(
    'NodePool general launches by its EC2NodeClass, and the instance types are those of kwok: --instance-types aws',
  )
  expect(refusal('ClusterAPINodeClass')).toContain('--instance-types FILE')
  expect(refusal('AKSNodeClass', 'aws')).toContain('those of aws: --instance-types azure')
})

test('allowed are its own types, those of a file, and any types for a KWOK pool', () => {
  expect(refusal('EC2NodeClass', 'aws')).toBeUndefined()
  expect(refusal('AKSNodeClass', 'types.json')).toBeUndefined()
  expect(refusal('KWOKNodeClass')).toBeUndefined()
  expect(refusal('KWOKNodeClass', 'aws')).toBeUndefined()
})
