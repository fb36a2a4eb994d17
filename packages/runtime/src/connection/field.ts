import { ownField } from '@kerf/apis'
import type { KerfError } from '../errors/define-errors.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/** A value in a kubeconfig together with its path, so that errors can name the field. */
export class Field {
  readonly file: string
  readonly #value: unknown
  readonly #path: string

  constructor(value: unknown, path: string, file: string) {
    this.#value = value
    this.#path = path
    this.file = file
  }

  get value(): unknown {
    return this.#value
  }

  get isSet(): boolean {
    return this.#value !== undefined && this.#value !== null
  }

  /** Returns a field of this object. If this object is absent, its fields are absent too. */
  field(name: string): Field {
    const path = this.#path === '' ? name : `${this.#path}.${name}`
    return new Field(this.isSet ? ownField(this.object(), name) : undefined, path, this.file)
  }

  items(): Field[] {
    if (!this.isSet) return []
    if (!Array.isArray(this.#value)) throw this.problem('must be a list')
    return this.#value.map((value, index) => new Field(value, `${this.#path}[${index}]`, this.file))
  }

  object(): object {
    if (typeof this.#value !== 'object' || this.#value === null || Array.isArray(this.#value)) {
      throw this.problem('must be a mapping')
    }
    return this.#value
  }

  text(): string | undefined {
    if (!this.isSet) return undefined
    if (typeof this.#value !== 'string') throw this.problem('must be a string')
    return this.#value
  }

  required(): string {
    const text = this.text()
    if (!text) throw this.problem('is missing')
    return text
  }

  flag(): boolean {
    if (!this.isSet) return false
    if (typeof this.#value !== 'boolean') throw this.problem('must be true or false')
    return this.#value
  }

  problem(text: string): KerfError {
    return runtimeErrors.KubeconfigInvalid({ file: this.file, problem: `${this.#path || 'the document'} ${text}` })
  }
}
