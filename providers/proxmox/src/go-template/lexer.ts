import { ownValue } from '@kerf/apis'
import { TemplateError } from './template-error.ts'

/** A piece of a template: text, or the content of an action between `{{` and `}}`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly line: number }

export interface Token {
  readonly kind: 'field' | 'dot' | 'variable' | 'name' | 'number' | 'text' | 'symbol'
  /** The name without dot or `$`, the decoded text, or the symbol. */
  readonly value: string
  /** Whether the token directly follows the previous one. `$x.Name` is one operand, and `$x .Name` are two. */
  readonly isAttached: boolean
}

const SPACE = ' \t\r\n'

const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\', a: '\u0007', b: '\b', f: '\f', v: '\v' },
}

const unquoted = (text: string, line: number): string =>
  text
    .slice(1, -1)
    .replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g, (_, x, u, U, one) => {
      const code: string | undefined = x ?? u ?? U
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
      const found = ownValue(ESCAPES, String(one))
      if (found === undefined) throw new TemplateError(line, `unknown escape \\${String(one)} in a text`)
      return found
    })

/** The patterns of tokens, matched at the current position. The first match applies. */
const TOKENS: readonly (readonly [RegExp, Token['kind']])[] = [
  [/"(?:[^"\\\n]|\\.)*"/y, 'text'],
  [/`[^`]*`/y, 'text'],
  [/'(?:[^'\\\n]|\\.)+'/y, 'number'],
  [/[+-]?(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)/y, 'number'],
  [/\.[A-Za-z_]\w*/y, 'field'],
  [/\$\w*/y, 'variable'],
  [/[A-Za-z_]\w*/y, 'name'],
  [/:=|[|(),=]/y, 'symbol'],
  [/\./y, 'dot'],
]

const tokenValue = (kind: Token['kind'], raw: string, line: number): string => {
  switch (kind) {
    case 'text':
      return raw.startsWith('`') ? raw.slice(1, -1) : unquoted(raw, line)
    case 'number':
      return raw.startsWith("'") ? String(unquoted(raw, line).codePointAt(0) ?? 0) : raw.replaceAll('_', '')
    case 'field':
    case 'variable':
      return raw.slice(1)
    case 'name':
    case 'symbol':
    case 'dot':
      return raw
  }
}

/** Returns the tokens of the action that begins at `start`, and the position after its closing braces. */
const actionTokens = (source: string, start: number) => {
  const line = lineAt(source, start)
  const tokens: Token[] = []
  let at = start
  let isAttached = false
  for (;;) {
    const trimmed = /\s+-\}\}/y
    trimmed.lastIndex = at
    const close = trimmed.exec(source)
    if (close !== null) return { tokens, line, end: at + close[0].length, trimsRight: true }
    if (source.startsWith('}}', at)) return { tokens, line, end: at + 2, trimsRight: false }
    if (at >= source.length) throw new TemplateError(line, 'an action is not closed with }}')
    if (SPACE.includes(source[at] ?? '')) {
      at++
      isAttached = false
      continue
    }
    const token = TOKENS.map(([pattern, kind]) => {
      pattern.lastIndex = at
      return { kind, raw: pattern.exec(source)?.[0] }
    }).find(({ raw }) => raw !== undefined)
    if (token?.raw === undefined) throw new TemplateError(line, `unexpected ${JSON.stringify(source[at])} in an action`)
    tokens.push({ kind: token.kind, value: tokenValue(token.kind, token.raw, line), isAttached })
    at += token.raw.length
    isAttached = true
  }
}

/** Splits a template into texts and actions. Applies trim markers (`{{-` and `-}}`) and removes comments. */
export const lexTemplate = (source: string): readonly Piece[] => {
  const pieces: Piece[] = []
  let at = 0
  let trimsLeft = false
  for (;;) {
    const open = source.indexOf('{{', at)
    const raw = source.slice(at, open < 0 ? source.length : open)
    const trimsBefore = open >= 0 && /^\{\{-\s/.test(source.slice(open, open + 4))
    const left = trimsLeft ? raw.replace(/^[ \t\r\n]+/, '') : raw
    const text = trimsBefore ? left.replace(/[ \t\r\n]+$/, '') : left
    if (text !== '') pieces.push({ kind: 'text', text })
    if (open < 0) return pieces
    const start = open + (trimsBefore ? 3 : 2)
    const comment = /^\s*\/\*[\s\S]*?\*\/(\s+-)?\}\}/.exec(source.slice(start))
    if (comment !== null) {
      at = start + comment[0].length
      trimsLeft = comment[1] !== undefined
      continue
    }
    const { tokens, line, end, trimsRight } = actionTokens(source, start)
    pieces.push({ kind: 'action', tokens, line })
    at = end
    trimsLeft = trimsRight
  }
}
