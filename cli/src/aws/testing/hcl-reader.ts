/** Reads HCL for tests, strictly: whatever is not a block, an attribute or a value fails. Knows nothing of how ours is written. */
export interface ReadBlock {
  readonly head: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly blocks: readonly ReadBlock[]
}

/** Text of an expression that is no literal. */
export interface ReadExpression {
  readonly expression: string
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_][\w.-]*(?:\[\d+\](?:\.\w+)*)*)|(-?\d+)|([{}[\](),=]))/y

class Reader {
  readonly #tokens: string[] = []
  #at = 0

  constructor(text: string) {
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const start = TOKEN.lastIndex
      const found = TOKEN.exec(text)
      if (found === null) throw new Error(`no HCL at: ${text.slice(start, start + 60)}`)
      this.#tokens.push(found[0].trim())
    }
  }

  get next(): string | undefined {
    return this.#tokens[this.#at]
  }

  take(wanted?: string): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`${wanted ?? 'a token'} expected, found ${token} as token ${this.#at}`)
    return token
  }

  body(end: string | undefined): Omit<ReadBlock, 'head'> {
    const attributes: Record<string, unknown> = {}
    const blocks: ReadBlock[] = []
    while (this.next !== end) {
      const name = this.take()
      if (!/^\w/.test(name)) throw new Error(`a name expected, found ${name}`)
      if (this.next === '=') {
        this.take('=')
        if (Object.hasOwn(attributes, name)) throw new Error(`${name} is given twice`)
        attributes[name] = this.value()
        continue
      }
      const head = [name]
      while (this.next !== '{') head.push(String(JSON.parse(this.take())))
      this.take('{')
      blocks.push({ head, ...this.body('}') })
      this.take('}')
    }
    return { attributes, blocks }
  }

  value(): unknown {
    const token = this.take()
    if (token.startsWith('"')) return JSON.parse(token)
    if (/^-?\d+$/.test(token)) return Number(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (token === '[') return this.#items(']')
    if (token === '{') return this.#entries()
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`a value expected, found ${token}`)
    if (this.next !== '(') return { expression: token }
    this.take('(')
    const values = this.#items(')')
    // As AWS gets them.
    return token === 'jsonencode' || token === 'toset' ? values[0] : { expression: token, arguments: values }
  }

  #items(end: string): readonly unknown[] {
    const items: unknown[] = []
    while (this.next !== end) {
      items.push(this.value())
      if (this.next !== end) this.take(',')
    }
    this.take(end)
    return items
  }

  #entries(): Readonly<Record<string, unknown>> {
    const entries: Record<string, unknown> = {}
    while (this.next !== '}') {
      const token = this.take()
      const key = token.startsWith('"') ? String(JSON.parse(token)) : token
      this.take('=')
      entries[key] = this.value()
    }
    this.take('}')
    return entries
  }
}

/** @throws Error at the first thing that is not HCL. */
export const readHcl = (text: string): readonly ReadBlock[] => new Reader(text).body(undefined).blocks
