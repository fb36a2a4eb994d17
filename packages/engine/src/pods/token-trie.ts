import type { Token, TokenSink } from './form-tokens.ts'

/** A node of the trie. Most nodes have only one successor, so a table is created only when there is a second one. */
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
 * Finds a value by a sequence of tokens. It compares tokens one by one and does not hash them. So two sequences share a value only if they
 * are equal.
 */
export class TokenTrie<Value> implements TokenSink {
  readonly #root = new Step<Value>()
  #at = this.#root

  /** Starts a sequence. An unfinished sequence is dropped. */
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

  /** Ends the sequence and returns its value. Calls `make` if there is no value yet. */
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
