/**
 * This file converts regular expressions of schemas and rules, which use Go's syntax (RE2). It rewrites the parts that JavaScript handles
 * differently: leading flags, `\A` and `\z`, `(?P<name>`, POSIX classes, and `.` and `\s`, which match fewer characters in Go.
 */

import { ownValue } from '../own-value.ts'

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}
const SPACE = '\\t\\n\\f\\r '

const rewriteEscape = (sequence: string, isInClass: boolean): string => {
  switch (sequence) {
    case '\\s':
      return isInClass ? SPACE : `[${SPACE}]`
    case '\\S':
      return isInClass ? sequence : `[^${SPACE}]`
    case '\\A':
      return '(?<![\\s\\S])'
    case '\\z':
      return '(?![\\s\\S])'
    default:
      return sequence
  }
}

const rewrite = (pattern: string, dotMatchesAll: boolean): string => {
  let text = ''
  let isInClass = false
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i)
    if (character === '\\') {
      text += rewriteEscape(pattern.slice(i, i + 2), isInClass)
      i++
    } else if (isInClass) {
      const name = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(i))
      const set = name === null ? undefined : ownValue(POSIX, name[2] ?? '')
      if (name !== null && set !== undefined && name[1] === '') {
        text += set
        i += name[0].length - 1
      } else {
        if (character === ']') isInClass = false
        text += character === '[' ? '\\[' : character
      }
    } else if (character === '[') {
      isInClass = true
      text += character
      // A bracket directly after the opening bracket stands for itself.
      const isNegated = pattern.charAt(i + 1) === '^'
      if (isNegated) text += '^'
      if (isNegated) i++
      if (pattern.charAt(i + 1) === ']') {
        text += '\\]'
        i++
      }
    } else if (character === '.') {
      text += dotMatchesAll ? '[\\s\\S]' : '[^\\n]'
    } else if (pattern.startsWith('(?P<', i)) {
      text += '(?<'
      i += 3
    } else {
      text += character
    }
  }
  return text
}

const cache = new Map<string, RegExp>()

/**
 * Returns a Go regular expression as a JavaScript one, without the global flag.
 *
 * @throws SyntaxError if it is not a regular expression.
 */
export const goPattern = (pattern: string): RegExp => {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  const front = /^\(\?([imsU]+)\)/.exec(pattern)
  const flags = front?.[1] ?? ''
  const source = rewrite(front === null ? pattern : pattern.slice(front[0].length), flags.includes('s'))
  const expression = new RegExp(source, `${flags.includes('i') ? 'i' : ''}${flags.includes('m') ? 'm' : ''}`)
  if (cache.size > 2_000) cache.clear()
  cache.set(pattern, expression)
  return expression
}
