import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../../tools/source-files.ts'

const read = (file: string): string => readFileSync(join(root, 'deploy', 'charts', 'karpenter', file), 'utf8')

/** Returns the names that a list in the chart's notes contains. The notes do not warn about these names. */
const knownToNotes = (pattern: RegExp): readonly string[] =>
  [...(pattern.exec(read('templates/NOTES.txt'))?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, name = '']) => name)

// release.helm.test.ts tests the notes that Helm prints when it installs on a real API server.
test('the notes do not warn about settings and feature gates that the chart has', () => {
  const { settings } = parse(read('values.yaml'))
  const known = knownToNotes(/\$known := list (.*) }}/)
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([])
  const { properties } = JSON.parse(read('values.schema.json')).properties.settings
  expect(Object.keys(properties).filter((name) => !known.includes(name))).toEqual([])
  expect(knownToNotes(/has \$name \(list (.*)\)\)/).toSorted()).toEqual(Object.keys(settings.featureGates).toSorted())
})
