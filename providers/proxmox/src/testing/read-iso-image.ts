const SECTOR = 2_048

/** Parses an ISO 9660 image like a kernel (ECMA-119). Returns its label, and the files by their Joliet names. */
export const readIsoImage = (
  image: Buffer,
): { readonly label: string; readonly files: Readonly<Record<string, string>> } => {
  for (let sector = 16; ; sector++) {
    const descriptor = image.subarray(sector * SECTOR, (sector + 1) * SECTOR)
    const type = descriptor.readUInt8(0)
    if (descriptor.toString('latin1', 1, 6) !== 'CD001' || type === 255)
      throw new Error('the image has no Joliet names')
    if (type !== 2) continue
    const wide = (from: number, to: number, of = descriptor): string =>
      Buffer.from(of.subarray(from, to)).swap16().toString('utf16le')
    const [root, size] = [descriptor.readUInt32LE(158), descriptor.readUInt32LE(166)]
    const directory = image.subarray(root * SECTOR, root * SECTOR + size)
    const files: (readonly [string, string])[] = []
    for (let at = 0; (directory[at] ?? 0) > 0; at += directory[at] ?? 0) {
      const nameLength = directory.readUInt8(at + 32)
      if (nameLength === 1) continue
      const [start, length] = [directory.readUInt32LE(at + 2) * SECTOR, directory.readUInt32LE(at + 10)]
      const name = wide(at + 33, at + 33 + nameLength, directory)
      files.push([name, image.toString('utf8', start, start + length)])
    }
    return { label: wide(40, 72).trimEnd(), files: Object.fromEntries(files) }
  }
}
