import { once } from 'node:events'
import { constants, createGzip, type Gzip } from 'node:zlib'

/** Compresses with gzip on the threads of libuv, as fast as it can: metrics become a twentieth at any level. */
export class Compressor {
  readonly #gzip: Gzip = createGzip({ level: constants.Z_BEST_SPEED })
  readonly #compressed: Uint8Array[] = []

  constructor() {
    // A failure is told by whoever waits; without a listener of its own it would end the process.
    this.#gzip.on('error', () => {})
    this.#gzip.on('data', (chunk: Uint8Array) => this.#compressed.push(chunk))
  }

  /** Resolves when further bytes may be written. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#gzip.write(bytes)) await once(this.#gzip, 'drain')
  }

  /** Everything that was written, compressed. */
  async end(): Promise<readonly Uint8Array[]> {
    this.#gzip.end()
    await once(this.#gzip, 'end')
    return this.#compressed
  }

  /** Gives up what is not compressed yet. */
  close(): void {
    this.#gzip.destroy()
  }
}
