import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/source-files.ts'

const read = (file: string): string => readFileSync(join(root, 'charts', 'karpenter', file), 'utf8')

/** The names in a list of the notes: what they do not warn of. */
const knownToNotes = (pattern: RegExp): readonly string[] =>
  [...(pattern.exec(read('templates/NOTES.txt'))?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, name = '']) => name)

// What helm prints of them on a real API server: release.helm.test.ts.
test('the notes warn of no setting and no gate that the chart has', () => {
  const { settings } = parse(read('values.yaml'))
  const known = knownToNotes(/\$known := list (.*) }}/)
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([])
  const { properties } = JSON.parse(read('values.schema.json')).properties.settings
  expect(Object.keys(properties).filter((name) => !known.includes(name))).toEqual([])
  expect(knownToNotes(/has \$name \(list (.*)\)\)/).toSorted()).toEqual(Object.keys(settings.featureGates).toSorted())
})
