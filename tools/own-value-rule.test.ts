import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { expect, test } from 'vitest'
import { ownValueProblems } from './own-value-rule.ts'

const DECLARATIONS = `
interface Array<T> { readonly length: number; [index: number]: T }
interface Object {} interface Function {} interface CallableFunction {} interface NewableFunction {}
interface Boolean {} interface Number {} interface String {} interface RegExp {} interface IArguments {}
interface ObjectConstructor { assign<T, U>(target: T, source: U): T & U; hasOwn(value: object, key: string): boolean }
declare const Object: ObjectConstructor
declare const Reflect: { get(target: object, key: string, receiver?: object): unknown }
declare const labels: { [key: string]: string }
declare const maybe: { [key: string]: string } | undefined
declare const anything: any
declare const key: string
declare const size: number & { readonly unit: 'GiB' }
declare const list: string[]
declare const kind: 'a' | 'b'
declare const table: { readonly a: number; readonly b: number }
`

// biome-ignore lint/suspicious/noTemplateCurlyInString: code to read
const labelPath = 'labels[`a${key}`]'

/** Returns the parts of the code that the rule refuses, as written. */
const refused = (code: string): readonly string[] => {
  const files = {
    '/p/tsconfig.json': JSON.stringify({
      compilerOptions: { noLib: true, strict: true, types: [] },
      include: ['**/*.ts'],
    }),
    '/p/globals.d.ts': DECLARATIONS,
    '/p/a.ts': code,
    '/p/packages/apis/src/own-value.ts': 'export const ownValue = labels[key]',
  }
  return ownValueProblems('/p/tsconfig.json', () => true, createVirtualFileSystem(files)).map((line) => {
    const [, place = line] = /^a\.ts:\d+ (.*): (?:a key from outside|Object\.assign loses)/.exec(line) ?? []
    return place
  })
}

test('refuses keys that may be any text, unless ownValue or setOwnValue is used', () => {
  const places: readonly (readonly [code: string, ...refused: readonly string[]])[] = [
    ['labels[key]', 'labels[key]'],
    ['maybe?.[key]', 'maybe?.[key]'],
    [labelPath, labelPath],
    ['labels[anything]', 'labels[anything]'],
    ['labels[key] = key', 'labels[key]'],
    ["labels[key] ??= ''", 'labels[key]'],
    ['key in labels', 'key in labels'],
    ['Reflect.get(labels, key)', 'Reflect.get(labels, key)'],
    ['Object.assign({}, labels)', 'Object.assign({}, labels)'],
    ["table[key as 'a']", "table[key as 'a']"],
    ['export const { [key]: found } = labels', '[key]'],
    ['for (const each in labels) { labels[key]; maybe?.[each] }', 'labels[key]', 'maybe?.[each]'],
    ['const read = <K extends string>(name: K) => labels[name]', 'labels[name]'],
  ]
  expect(refused(places.map(([code]) => code).join('\n'))).toEqual(places.flatMap(([, ...found]) => found))
})

test('accepts keys that are known when the code is written', () => {
  const code = `
labels['app']; labels.app; list[0]; list[size]; table[kind]; anything['constructor']; 'app' in labels
delete labels[key]
for (const each in labels) { labels[each]; labels[each] = '' }
Object.hasOwn(labels, key); Reflect.get(labels, key, labels); Object.assign({}, table)
export const made = { [key]: 1 }, copy = { ...labels }
export const pick = <T, K extends keyof T>(from: T, of: keyof T) => from[of]
`
  expect(refused(code)).toEqual([])
})
