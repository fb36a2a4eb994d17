import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A field of a model of Oracle's SDK. */
interface ModelField {
  readonly isRequired: boolean
  readonly type: string
}
type Model = ReadonlyMap<string, ModelField>

const require = createRequire(import.meta.url)

/** The folder of the models of a package of the SDK. */
const folderOf = (sdkPackage: string): string =>
  join(dirname(require.resolve(`${sdkPackage}/package.json`)), 'lib/model')

const FIELD = /^ {4}"(\w+)"(\?)?: ((?:\{[^}]*(?:\{[^}]*\}[^}]*)?\}|[^;{])*);/gm
const ENUM = /enum (\w+) \{([^}]*)\}/g

/**
 * Checks objects against the models of Oracle's SDK (`lib/model/*.d.ts` of `oci-core`, UPL-1.0 or Apache-2.0). Oracle generates the models
 * from its API specification. They contain the name and type of each field, whether it is required, and the values of enumerations.
 */
class ModelSchema {
  readonly #folder: string
  readonly #files: ReadonlyMap<string, string>
  readonly #texts = new Map<string, string>()
  readonly #models = new Map<string, Model>()

  constructor(sdkPackage: string) {
    this.#folder = folderOf(sdkPackage)
    const index = readFileSync(join(this.#folder, 'index.d.ts'), 'utf8')
    this.#files = new Map(
      [...index.matchAll(/import \* as (\w+) from "\.\/([\w-]+)";/g)].map(([, name = '', file = '']) => [name, file]),
    )
  }

  /** Returns the problems of a value as an object of the model: unknown fields, missing fields and wrong types. */
  problems(model: string, value: unknown, path = model): readonly string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} must be an object`]
    const fields = this.#fields(model)
    const missing = [...fields]
      .filter(([name, { isRequired }]) => isRequired && Reflect.get(value, name) === undefined)
      .map(([name]) => `${path}.${name} is required`)
    const wrong = Object.entries(value).flatMap(([name, each]) => {
      const field = fields.get(name)
      return field === undefined
        ? [`${path}.${name} is unknown`]
        : this.#typeProblems(model, field.type, each, `${path}.${name}`)
    })
    return [...missing, ...wrong]
  }

  #typeProblems(model: string, type: string, value: unknown, path: string): readonly string[] {
    const [, item] = /^Array<(.*)>$/s.exec(type) ?? []
    if (item !== undefined)
      return Array.isArray(value)
        ? value.flatMap((each, at) => this.#typeProblems(model, item, each, `${path}[${at}]`))
        : [`${path} must be a list`]
    if (type.startsWith('{')) return this.#mapProblems(type, value, path)
    if (type.startsWith('model.')) return this.#modelProblems(type, value, path)
    switch (type) {
      case 'string':
      case 'number':
      case 'boolean':
        return typeof value === type ? [] : [`${path} must be a ${type}`]
      case 'any':
        return []
      case 'Date':
        return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? [] : [`${path} must be a time`]
      default:
        return this.#enumProblems(model, type, value, path)
    }
  }

  /** Returns the problems of a value. A union of models accepts a value if one of the models does. */
  #modelProblems(type: string, value: unknown, path: string): readonly string[] {
    const found = type.split('|').map((each) => {
      const name = each.trim().replace('model.', '')
      return this.#fields(name).size === 0 ? [] : this.problems(name, value, path)
    })
    return found.toSorted((a, b) => a.length - b.length)[0] ?? []
  }

  #mapProblems(type: string, value: unknown, path: string): readonly string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} must be a map`]
    const isNested = type.split('[key: string]').length > 2
    const isText = !isNested && /\]: string;/.test(type)
    return Object.entries(value).flatMap(([key, each]) => {
      if (isNested && (typeof each !== 'object' || each === null)) return [`${path}.${key} must be a map`]
      return isText && typeof each !== 'string' ? [`${path}.${key} must be a string`] : []
    })
  }

  #enumProblems(model: string, type: string, value: unknown, path: string): readonly string[] {
    const name = type.split('.').at(-1) ?? ''
    const [, , body = ''] = [...this.#text(model).matchAll(ENUM)].find(([, each]) => each === name) ?? []
    const values = [...body.matchAll(/= "([^"]*)"/g)].map(([, each]) => each)
    return values.length === 0 || values.includes(String(value))
      ? []
      : [`${path} must be one of ${values.join(', ')}, and is ${JSON.stringify(value)}`]
  }

  #fields(model: string): Model {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const text = this.#text(model)
    const [, parent] = new RegExp(`interface ${model} extends model\\.(\\w+)`).exec(text) ?? []
    const own = [...text.matchAll(FIELD)].map(
      ([, name = '', optional, type = '']) =>
        [name, { isRequired: optional === undefined, type: type.trim() }] as const,
    )
    const fields: Model = new Map([...(parent === undefined ? [] : this.#fields(parent)), ...own])
    this.#models.set(model, fields)
    return fields
  }

  #text(model: string): string {
    const known = this.#texts.get(model)
    if (known !== undefined) return known
    const file = this.#files.get(model)
    if (file === undefined) throw new Error(`the SDK has no model ${model}`)
    const text = readFileSync(join(this.#folder, `${file}.d.ts`), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    this.#texts.set(model, text)
    return text
  }
}

/** The models of Compute, Networking and Block Volume. */
export const coreModels = new ModelSchema('oci-core')
