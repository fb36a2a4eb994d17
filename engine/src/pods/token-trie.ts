import type { Token, TokenSink } from './form-tokens.ts'

/** Where the tokens so far lead. Most steps are followed by one token alone, so a table is made for the second. */
class Step<Value> {
  token: Token
  next: Step<Value> | undefined
  others: Map<Token, Step<Value>> | undefined
  value: Value | undefined

  constructor() {
    this.token = undefined
    this.next = undefined
    this.others = undefined
    this.value = undefined
  }
}

/**
 * Finds a value by a sequence of tokens. Tokens are compared one by one and nothing is hashed to less than it is, so two
 * sequences share a value only if they are equal.
 */
export class TokenTrie<Value> implements TokenSink {
  readonly #root = new Step<Value>()
  #at = this.#root

  /** Begins a sequence. One that was not ended is forgotten. */
  begin(): void {
    this.#at = this.#root
  }

  add(token: Token): void {
    const at = this.#at
    const { next, others } = at
    if (next === undefined) {
      const step = new Step<Value>()
      at.token = token
      at.next = step
      this.#at = step
      return
    }
    if (at.token === token) {
      this.#at = next
      return
    }
    const known = others?.get(token)
    this.#at = known ?? branch(at, token)
  }

  /** The value of the sequence that ends here, made if there is none. */
  end(make: () => Value): Value {
    const at = this.#at
    at.value ??= make()
    return at.value
  }
}

const branch = <Value>(at: Step<Value>, token: Token): Step<Value> => {
  const step = new Step<Value>()
  at.others ??= new Map()
  at.others.set(token, step)
  return step
}
