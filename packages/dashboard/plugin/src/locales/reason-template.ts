import { InvariantError, ownValue } from '@kerf/apis'

/** The values for the placeholders of a template. A missing value is the same as an empty string. */
export type TemplateValues = Readonly<Record<string, string>>

/** A piece of a template: plain text, a placeholder, or alternatives. */
type Piece = string | { readonly name: string; readonly isSilent: boolean } | { readonly choices: readonly Template[] }
type Template = readonly Piece[]

const TOKEN = /\{\{(\??)(\w+)\}\}|\[\[|\]\]|\|/g

const read = (text: string): Template => {
  // The templates that are not complete yet, the innermost last. Each is a list of alternatives.
  const open: Piece[][][] = [[[]]]
  let end = 0
  const add = (piece: Piece): void => void open.at(-1)?.at(-1)?.push(piece)
  for (const { 0: token, 1: silent, 2: name, index } of text.matchAll(TOKEN)) {
    if (index > end) add(text.slice(end, index))
    end = index + token.length
    if (name !== undefined) add({ name, isSilent: silent === '?' })
    else if (token === '[[') open.push([[]])
    else if (open.length === 1) add(token)
    else if (token === '|') open.at(-1)?.push([])
    else add({ choices: (open.pop() ?? []).slice() })
  }
  if (end < text.length) add(text.slice(end))
  if (open.length > 1) throw new InvariantError(`no end of [[ in ${text}`)
  return open[0]?.[0] ?? []
}

const known = new Map<string, Template>()
const parseTemplate = (text: string): Template => {
  const template = known.get(text) ?? read(text)
  known.set(text, template)
  return template
}

const valueOf = (values: TemplateValues, name: string): string => ownValue(values, name) ?? ''

const isFilled = (template: Template, values: TemplateValues): boolean =>
  template.every((piece) => typeof piece === 'string' || 'choices' in piece || valueOf(values, piece.name) !== '')

const filled = (template: Template, values: TemplateValues): string =>
  template
    .map((piece) => {
      if (typeof piece === 'string') return piece
      if ('name' in piece) return piece.isSilent ? '' : valueOf(values, piece.name)
      const chosen = piece.choices.find((each) => isFilled(each, values))
      return chosen === undefined ? '' : filled(chosen, values)
    })
    .join('')

/**
 * Returns the text of a template. `{{name}}` is replaced by its value. `[[a|b]]` is replaced by the first alternative whose placeholders
 * all have a value, or by nothing. `{{?name}}` prints nothing, but requires the value.
 */
export const fillTemplate = (text: string, values: TemplateValues): string => filled(parseTemplate(text), values)

/** Returns the names of all placeholders of a template. */
export const placeholderNames = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\{\{\??(\w+)\}\}/g), ([, name = '']) => name)
