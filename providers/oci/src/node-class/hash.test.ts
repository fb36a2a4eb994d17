import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { communityNodeClassDescriptor } from './community-descriptor.ts'
import { communityHash } from './community-hash.ts'
import type { CommunityNodeClassSpec } from './community-node-class.ts'
import { oracleNodeClassDescriptor } from './oracle-descriptor.ts'
import { oracleHash } from './oracle-hash.ts'
import type { OracleNodeClassSpec } from './oracle-node-class.ts'

/** Random specs, and the hashes that the public provider of the kind returned for them. */
const vectors = (file: string): readonly (readonly [hash: string, spec: unknown])[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [hash = '', spec = ''] = line.split('\t')
      return [hash, JSON.parse(spec)]
    })

test('the hash of an OciNodeClass equals that of zoom/karpenter-oci', () => {
  const known = vectors('community-hash.vectors.tsv')
  expect(known).toHaveLength(25)
  const own = known.map(([, spec]) => [
    communityHash.of({ ...communityNodeClassDescriptor.example, spec: spec as CommunityNodeClassSpec }),
    spec,
  ])
  expect(own).toEqual(known)
})

test('the hash of an OCINodeClass equals that of oracle/karpenter-provider-oci', () => {
  const known = vectors('oracle-hash.vectors.tsv')
  expect(known).toHaveLength(25)
  const own = known.map(([, spec]) => [
    oracleHash.of({ ...oracleNodeClassDescriptor.example, spec: spec as OracleNodeClassSpec }),
    spec,
  ])
  expect(own).toEqual(known)
})

test('objects without a spec, which the CRDs accept, have a hash', () => {
  const { spec: _, ...community } = communityNodeClassDescriptor.example
  const { spec: __, ...oracle } = oracleNodeClassDescriptor.example
  expect(communityHash.of(community)).toMatch(/^\d+$/)
  expect(oracleHash.of(oracle)).toMatch(/^\d+$/)
})
