/** Returns the values of a generated table by instance type name. A line is `family size=value size=value`. */
export const byTypeName = function* (table: string): Iterable<readonly [name: string, value: string]> {
  for (const line of table.trim().split('\n')) {
    const [family = '', ...types] = line.split(' ')
    for (const type of types) {
      const [size = '', value = ''] = type.split('=')
      yield [`${family}.${size}`, value]
    }
  }
}
