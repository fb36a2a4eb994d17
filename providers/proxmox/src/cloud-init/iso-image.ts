import type { Milliseconds } from '@kerf/apis'

/** The size of a sector in bytes. */
const SECTOR = 2_048
/** The volume label that cloud-init looks for. */
const CLOUD_INIT_LABEL = 'cidata'

/** One of the two directory trees of an image. The first has upper-case ASCII names. The second (Joliet) has the real names in UCS-2. */
interface Tree {
  readonly descriptor: number
  readonly littleTable: number
  readonly bigTable: number
  readonly root: number
  readonly encode: (text: string) => Buffer
  readonly fileName: (name: string) => string
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const PRIMARY: Tree = {
  ...{ descriptor: 16, littleTable: 19, bigTable: 20, root: 23, encode: ascii },
  fileName: (name) => `${name.toUpperCase()};1`,
}
const JOLIET: Tree = {
  ...{ descriptor: 17, littleTable: 21, bigTable: 22, root: 24, encode: ucs2 },
  fileName: (name) => name,
}
const TERMINATOR = 18
const FIRST_FILE = 25

interface PlacedFile {
  readonly name: string
  readonly content: Buffer
  readonly sector: number
}

/** Writes a number in both byte orders, as the standard requires. */
const both32 = (buffer: Buffer, value: number, at: number): void => {
  buffer.writeUInt32LE(value, at)
  buffer.writeUInt32BE(value, at + 4)
}
const both16 = (buffer: Buffer, value: number, at: number): void => {
  buffer.writeUInt16LE(value, at)
  buffer.writeUInt16BE(value, at + 2)
}

/** Returns the record of a file or directory (ECMA-119, 9.1). */
const directoryRecord = (
  name: Buffer,
  { sector, size, isDirectory }: { readonly sector: number; readonly size: number; readonly isDirectory: boolean },
  now: Date,
): Buffer => {
  const length = 33 + name.length
  const record = Buffer.alloc(length + (length % 2))
  record.writeUInt8(record.length, 0)
  both32(record, sector, 2)
  both32(record, size, 10)
  record.set(
    [
      ...[now.getUTCFullYear() - 1900, now.getUTCMonth() + 1, now.getUTCDate()],
      ...[now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds(), 0],
    ],
    18,
  )
  record.writeUInt8(isDirectory ? 2 : 0, 25)
  both16(record, 1, 28)
  record.writeUInt8(name.length, 32)
  name.copy(record, 33)
  return record
}

const rootRecord = (tree: Tree, name: number, now: Date): Buffer =>
  directoryRecord(Buffer.from([name]), { sector: tree.root, size: SECTOR, isDirectory: true }, now)

const rootDirectory = (tree: Tree, files: readonly PlacedFile[], now: Date): Buffer =>
  Buffer.concat([
    // The directory itself, and its parent.
    rootRecord(tree, 0, now),
    rootRecord(tree, 1, now),
    ...files
      .map((file) => ({ ...file, encoded: tree.encode(tree.fileName(file.name)) }))
      .toSorted((a, b) => Buffer.compare(a.encoded, b.encoded))
      .map(({ encoded, sector, content }) =>
        directoryRecord(encoded, { sector, size: content.length, isDirectory: false }, now),
      ),
  ])

const PATH_TABLE_SIZE = 10

/** Returns the path table, which contains only the root directory (ECMA-119, 9.4). */
const pathTable = ({ root }: Tree, isBigEndian: boolean): Buffer => {
  const table = Buffer.alloc(PATH_TABLE_SIZE)
  table.writeUInt8(1, 0)
  if (isBigEndian) table.writeUInt32BE(root, 2)
  else table.writeUInt32LE(root, 2)
  if (isBigEndian) table.writeUInt16BE(1, 6)
  else table.writeUInt16LE(1, 6)
  return table
}

/** Returns a text field, padded with spaces. */
const field = (tree: Tree, text: string, length: number): Buffer => {
  const space = tree.encode(' ')
  const filled = Buffer.alloc(length)
  for (let at = 0; at + space.length <= length; at += space.length) space.copy(filled, at)
  tree.encode(text).copy(filled)
  return filled
}

/** Returns the volume descriptor of a tree (ECMA-119, 8.4 and 8.5). */
const descriptor = (tree: Tree, sectors: number, now: Date): Buffer => {
  const made = Buffer.alloc(SECTOR)
  made.writeUInt8(tree === PRIMARY ? 1 : 2, 0)
  made.write('CD001', 1, 'latin1')
  made.writeUInt8(1, 6)
  field(tree, '', 32).copy(made, 8)
  field(tree, CLOUD_INIT_LABEL, 32).copy(made, 40)
  both32(made, sectors, 80)
  // The escape sequence of UCS-2 level 3, which marks Joliet.
  if (tree === JOLIET) made.write('%/E', 88, 'latin1')
  both16(made, 1, 120)
  both16(made, 1, 124)
  both16(made, SECTOR, 128)
  both32(made, PATH_TABLE_SIZE, 132)
  made.writeUInt32LE(tree.littleTable, 140)
  made.writeUInt32BE(tree.bigTable, 148)
  rootRecord(tree, 0, now).copy(made, 156)
  for (const [at, length] of [
    ...[190, 318, 446, 574].map((at) => [at, 128] as const),
    ...[702, 739, 776].map((at) => [at, 37] as const),
  ])
    field(tree, '', length).copy(made, at)
  const stamp = now.toISOString().replaceAll(/\D/g, '').slice(0, 16)
  // The dates are: created, modified, expires, effective. Zeros mean that a date is not specified.
  for (const [index, date] of [stamp, stamp, '0'.repeat(16), stamp].entries())
    made.write(date, 813 + 17 * index, 'latin1')
  made.writeUInt8(1, 881)
  return made
}

/**
 * Returns an ISO 9660 image with Joliet names, labelled `cidata`, with the files in its root directory. Cloud-init reads it as the data
 * source NoCloud.
 */
export const cloudInitImage = (files: Readonly<Record<string, string>>, now: Milliseconds): Buffer => {
  const date = new Date(now)
  const placed: PlacedFile[] = []
  let sector = FIRST_FILE
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    placed.push({ name, content, sector })
    sector += Math.max(1, Math.ceil(content.length / SECTOR))
  }
  const image = Buffer.alloc(sector * SECTOR)
  const put = (at: number, content: Buffer): void => void content.copy(image, at * SECTOR)
  for (const tree of [PRIMARY, JOLIET]) {
    put(tree.descriptor, descriptor(tree, sector, date))
    put(tree.littleTable, pathTable(tree, false))
    put(tree.bigTable, pathTable(tree, true))
    put(tree.root, rootDirectory(tree, placed, date))
  }
  image.write('\u00ffCD001\u0001', TERMINATOR * SECTOR, 'latin1')
  for (const { content, sector: at } of placed) put(at, content)
  return image
}
