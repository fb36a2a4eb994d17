import { readFileSync } from 'node:fs'
import { mimeHeader, parseMime, UserDataError } from '@kerf/provider-kit'
import { parse as parseToml, type TomlValue } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { AmiFamily } from '../node-class/ami-family.ts'
import { setKubeletFields, settleKubelet } from '../node-class/kubelet-fields.ts'
import type { Bootstrap } from './bootstrap.ts'
import { buildUserData } from './user-data.ts'

/** Upstream's own result for the same input. The file describes its origin. */
interface Vector {
  readonly family: AmiFamily
  readonly custom: string
  readonly refused?: true
  readonly parts?: readonly { readonly type: string; readonly body: string }[]
  readonly toml?: string
}
const { bootstrap, vectors } = JSON.parse(
  readFileSync(new URL('./upstream-vectors.json', import.meta.url), 'utf8'),
) as { readonly bootstrap: Omit<Bootstrap, 'settled'>; readonly vectors: readonly Vector[] }

const settled = settleKubelet(setKubeletFields(bootstrap.kubelet), { podCapacity: 58, clusterDNS: undefined })
const builtText = ({ family, custom }: Vector): string =>
  Buffer.from(buildUserData(family, { ...bootstrap, settled, custom }).base64 ?? '', 'base64').toString()

/** Converts a value to a form that includes its type, because 1 and 1.0 differ. */
const typed = (value: TomlValue): unknown => {
  if (typeof value === 'bigint') return `whole ${value}`
  if (typeof value === 'number') return `float ${value}`
  if (value instanceof Date) return `date ${value.toISOString()}`
  if (Array.isArray(value)) return value.map(typed)
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typed(each)]))
  return value
}
const parsedTomlText = (text: string): unknown => typed(parseToml(text, { integersAsBigInt: true }))

describe('user data is merged as in upstream', () => {
  test.each(vectors.filter(({ refused }) => refused === true))('$family rejects $custom', (vector) => {
    expect(() => builtText(vector)).toThrow(UserDataError)
  })

  test.each(vectors.filter(({ parts }) => parts !== undefined))('$family accepts the parts of $custom', (vector) => {
    const { parts } = parseMime(builtText(vector))
    expect(
      parts.slice(0, -1).map((part) => ({ type: mimeHeader(part, 'Content-Type') ?? '', body: part.body })),
    ).toEqual(vector.parts)
  })

  test.each(vectors.filter(({ toml }) => toml !== undefined))('$family accepts the settings of $custom', (vector) => {
    expect(parsedTomlText(builtText(vector))).toEqual(parsedTomlText(vector.toml ?? ''))
  })
})
