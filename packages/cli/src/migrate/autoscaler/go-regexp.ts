import { ownValue } from '@kerf/apis'

/** Thrown for a regular expression that Go's regexp package refuses. */
export class GoRegexpError extends Error {}

interface Flags {
  readonly i: boolean
  readonly s: boolean
  readonly m: boolean
}

const CLASSES: Readonly<Record<string, string>> = {
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

const isLetter = (text: string): boolean => /^[A-Za-z]$/.test(text)

const literal = (text: string, { i }: Flags, isInClass: boolean): string => {
  if (i && isLetter(text)) {
    const both = `${text.toLowerCase()}${text.toUpperCase()}`
    return isInClass ? both : `[${both}]`
  }
  return /[\w\s]/.test(text) ? text : `\\${text}`
}

/**
 * Converts a character class such as `[[:alpha:]_-]` that begins at `start` to JavaScript. Returns it with the index at which it
 * ends.
 */
const readClass = (source: string, start: number, flags: Flags): { readonly text: string; readonly end: number } => {
  let at = start + 1
  let body = ''
  const isNegated = source[at] === '^'
  if (isNegated) at++
  for (let isFirst = true; ; isFirst = false) {
    const char = source[at]
    if (char === undefined) throw new GoRegexpError('missing closing ]')
    if (char === ']' && !isFirst) break
    const [posix, not, name = ''] = /^\[:(\^?)(\w+):\]/.exec(source.slice(at)) ?? []
    if (posix !== undefined) {
      const members = ownValue(CLASSES, name)
      if (members === undefined || not !== '') throw new GoRegexpError(`character class ${posix} is not supported`)
      body += members + (flags.i && (name === 'lower' || name === 'upper') ? 'a-zA-Z' : '')
      at += posix.length
      continue
    }
    const [range, low = '', high = ''] = /^([^\\\]])-([^\\\]])/.exec(source.slice(at)) ?? []
    if (range !== undefined) {
      if (low > high) throw new GoRegexpError(`invalid character class range ${range}`)
      body += `\\u${low.charCodeAt(0).toString(16).padStart(4, '0')}-\\u${high.charCodeAt(0).toString(16).padStart(4, '0')}`
      if (flags.i && isLetter(low) && isLetter(high)) {
        body += `${low.toLowerCase()}-${high.toLowerCase()}`
        if (low.toUpperCase() <= high.toUpperCase()) body += `${low.toUpperCase()}-${high.toUpperCase()}`
      }
      at += range.length
      continue
    }
    if (char === '\\') {
      const next = source[at + 1] ?? ''
      body += isLetter(next) || /\d/.test(next) ? `\\${next}` : literal(next, flags, true)
      at += 2
      continue
    }
    body += literal(char, flags, true)
    at++
  }
  return { text: `[${isNegated ? '^' : ''}${body}]`, end: at + 1 }
}

/**
 * Converts a Go regular expression (RE2) to a JavaScript one. Supports inline flags such as `(?i)`, named groups and POSIX classes.
 *
 * @throws GoRegexpError for syntax that Go refuses (look-around, backreferences), and for Unicode classes
 */
export const goRegexp = (source: string): RegExp => {
  let flags: Flags = { i: false, s: false, m: false }
  const outer: Flags[] = []
  let result = ''
  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? ''
    const rest = source.slice(at)
    switch (char) {
      case '[': {
        const found = readClass(source, at, flags)
        result += found.text
        at = found.end
        continue
      }
      case '(': {
        const [inline, on = '', off = '', end] = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest) ?? []
        const [named] = /^\(\?P?<\w+>/.exec(rest) ?? []
        if (inline === undefined) {
          if (named === undefined && rest.startsWith('(?'))
            throw new GoRegexpError(`invalid or unsupported Perl syntax: ${rest.slice(0, 3)}`)
          outer.push(flags)
          result += '('
          at += named?.length ?? 1
          continue
        }
        if (end === ':') outer.push(flags)
        const has = (flag: keyof Flags): boolean => (flags[flag] || on.includes(flag)) && !off.includes(flag)
        flags = { i: has('i'), s: has('s'), m: has('m') }
        if (end === ':') result += '(?:'
        at += inline.length
        continue
      }
      case ')': {
        const before = outer.pop()
        if (before === undefined) throw new GoRegexpError('unexpected )')
        flags = before
        result += ')'
        break
      }
      case '.':
        result += flags.s ? '[\\s\\S]' : '[^\\n]'
        break
      case '^':
        result += flags.m ? '(?<![^\\n])' : '(?<![\\s\\S])'
        break
      case '$':
        result += flags.m ? '(?![^\\n])' : '(?![\\s\\S])'
        break
      case '*':
      case '+':
      case '?':
      case '|':
      case '{':
      case '}':
        result += char === '{' && !/^\{\d+(,\d*)?\}/.test(rest) ? '\\{' : char
        break
      case '\\': {
        const next = source[at + 1]
        if (next === undefined) throw new GoRegexpError('trailing backslash at end of expression')
        if (next === 'Q') {
          const end = source.indexOf('\\E', at)
          for (const each of source.slice(at + 2, end === -1 ? undefined : end)) result += literal(each, flags, false)
          at = end === -1 ? source.length : end + 2
          continue
        }
        if (next === 'A') result += '(?<![\\s\\S])'
        else if (next === 'z') result += '(?![\\s\\S])'
        else if (/[1-9pPZCkcu]/.test(next)) throw new GoRegexpError(`invalid escape sequence: \\${next}`)
        else result += isLetter(next) || /\d/.test(next) ? `\\${next}` : literal(next, flags, false)
        at += 2
        continue
      }
      default:
        result += literal(char, flags, false)
    }
    at++
  }
  if (outer.length > 0) throw new GoRegexpError('missing closing )')
  try {
    return new RegExp(result)
  } catch (error) {
    throw new GoRegexpError(error instanceof Error ? error.message : String(error))
  }
}
