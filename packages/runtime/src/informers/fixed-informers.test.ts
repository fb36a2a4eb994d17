import { kinds, type Pod } from '@kerf/apis'
import { pod as buildPod, node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { FixedInformers } from './fixed-informers.ts'

const pod = (name: string, nodeName?: string): Pod =>
  buildPod(name, { spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) } })
const byNode = ({ spec }: Pod): readonly string[] => (spec.nodeName === undefined ? [] : [spec.nodeName])

test('returns its objects by kind, name and index; a later object replaces an earlier one', () => {
  const later = pod('a', 'n2')
  const informers = new FixedInformers([pod('a', 'n1'), pod('b', 'n2'), node('n1'), later])
  const pods = informers.of(kinds.Pod)
  expect(pods.hasSynced).toBe(true)
  expect(pods.size).toBe(2)
  expect(pods.get('default/a')).toBe(later)
  expect([...informers.of(kinds.Node).values()].map(({ metadata }) => metadata.name)).toEqual(['n1'])
  expect(informers.of(kinds.Service).size).toBe(0)
  pods.index('node', byNode)
  expect(pods.by('node', 'n2').map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(pods.by('node', 'n1')).toEqual([])
  expect(() => pods.by('zone', 'a')).toThrow('there is no index zone')
})

test('calls each listener once for every object, and not again', () => {
  const informers = new FixedInformers([pod('a'), pod('b')])
  const seen: (string | undefined)[] = []
  const stop = informers.of(kinds.Pod).onChange(({ after }) => seen.push(after?.metadata.name))
  stop()
  expect(seen).toEqual(['a', 'b'])
})
