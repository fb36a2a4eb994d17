import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inPlaceHash, nodeClassHash, unmanagedTemplateHash } from './hash.ts'
import { templateHash, templateInPlaceHash } from './template-hash.ts'

/**
 * Random specs with the hashes that sergelogvinov/karpenter-provider-proxmox 373cfeb computes. The columns are kind, hash, hash of the
 * in-place fields, and spec.
 */
const vectors = readFileSync(new URL('upstream-hashes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [kind = '', hash = '', inPlace = '', spec = ''] = line.split('\t')
    return { kind, hash, inPlace, spec: JSON.parse(spec) }
  })
const ofKind = (wanted: string) => vectors.filter(({ kind }) => kind === wanted)

test('400 node classes have the same hashes as in Karpenter’s provider', () => {
  const classes = ofKind('class')
  expect(classes).toHaveLength(400)
  expect(classes.map(nodeClassHash)).toEqual(classes.map(({ hash }) => hash))
})

test('400 node classes have the same in-place hashes as in Karpenter’s provider', () => {
  const classes = ofKind('class')
  expect(classes.map(inPlaceHash)).toEqual(classes.map(({ inPlace }) => inPlace))
})

test('100 unmanaged templates have the same hashes as in Karpenter’s provider', () => {
  const templates = ofKind('unmanaged')
  expect(templates).toHaveLength(100)
  expect(templates.map(unmanagedTemplateHash)).toEqual(templates.map(({ hash }) => hash))
})

test('150 templates have the same two hashes as in Karpenter’s provider', () => {
  const templates = ofKind('template')
  expect(templates).toHaveLength(150)
  expect(templates.map((each) => [templateHash(each), templateInPlaceHash(each)])).toEqual(
    templates.map(({ hash, inPlace }) => [hash, inPlace]),
  )
})
