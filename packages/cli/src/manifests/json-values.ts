/** A JSON value in a text, and the line on which it begins, counted from 1. */
export interface JsonValueAt {
  readonly value: unknown
  readonly line: number
}

/** Returns the end of the object or list that begins at `start`. Returns `undefined` if it is not closed. */
const findEnd = (text: string, start: number): number | undefined => {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Returns the consecutive JSON objects and lists of a text. Returns `undefined` if the text contains anything else. */
export const jsonValues = (text: string): readonly JsonValueAt[] | undefined => {
  const firstLine = text.slice(0, text.search(/\S|$/)).split('\n').length
  const whole = parsed(text)
  if (whole !== undefined) return [{ ...whole, line: firstLine }]
  const values: JsonValueAt[] = []
  let line = 1
  for (let at = 0; ; ) {
    const start = at + text.slice(at).search(/\S|$/)
    line += text.slice(at, start).split('\n').length - 1
    if (start === text.length) return values
    const end = /[[{]/.test(text.charAt(start)) ? findEnd(text, start) : undefined
    const one = end === undefined ? undefined : parsed(text.slice(start, end))
    if (end === undefined || one === undefined) return undefined
    values.push({ ...one, line })
    line += text.slice(start, end).split('\n').length - 1
    at = end
  }
}
