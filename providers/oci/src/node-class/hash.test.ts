import { expect, test } from 'vitest'
import { randomHashes } from '../testing/node-class-verdicts.ts'
import { communityNodeClassDescriptor } from './community-descriptor.ts'
import { communityHash } from './community-hash.ts'
import type { CommunityNodeClassSpec } from './community-node-class.ts'
import { oracleNodeClassDescriptor } from './oracle-descriptor.ts'
import { oracleHash } from './oracle-hash.ts'
import type { OracleNodeClassSpec } from './oracle-node-class.ts'

test('500 random OciNodeClasses have the same hashes as in zoom/karpenter-oci', () => {
  const known = randomHashes('community')
  const own = known.map(({ spec }) =>
    communityHash.of({ ...communityNodeClassDescriptor.example, spec: spec as CommunityNodeClassSpec }),
  )
  expect(own).toEqual(known.map(({ hash }) => hash))
  expect(new Set(own).size).toBeGreaterThan(490)
})

test('500 random OCINodeClasses have the same hashes as in oracle/karpenter-provider-oci', () => {
  const known = randomHashes('oracle')
  const own = known.map(({ spec }) =>
    oracleHash.of({ ...oracleNodeClassDescriptor.example, spec: spec as OracleNodeClassSpec }),
  )
  expect(own).toEqual(known.map(({ hash }) => hash))
  expect(new Set(own).size).toBeGreaterThan(490)
})

test('objects without a spec, which the CRDs accept, have a hash', () => {
  const { spec: _, ...community } = communityNodeClassDescriptor.example
  const { spec: __, ...oracle } = oracleNodeClassDescriptor.example
  expect(communityHash.of(community)).toMatch(/^\d+$/)
  expect(oracleHash.of(oracle)).toMatch(/^\d+$/)
})
