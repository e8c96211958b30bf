/**
 * The stage of a demo employer. `second_year`: renewed, with most employees carried over. `renewal`: the plan year ends
 * soon, and the next one is not open. `settled` and `recent`: in the first plan year. `choosing`: in open enrollment.
 * `roster`: employees are known, and nothing is offered yet. `joined`: a few days ago. `left`: the subscription has
 * ended. `staffing`: a staffing firm that measures the hours of its people.
 */
export type EmployerStage =
  | 'staffing'
  | 'second_year'
  | 'renewal'
  | 'settled'
  | 'recent'
  | 'choosing'
  | 'roster'
  | 'joined'
  | 'left'

/**
 * The source of the roster, if it is not submitted as a census: a payroll system that was unavailable for two days
 * (`was_out`) or is unavailable now (`is_out`), files of which one was corrected or one is held, or a paused
 * connection.
 */
export type DemoPayroll = 'was_out' | 'is_out' | 'fixed_file' | 'held_file' | 'paused'

export type DemoEmployer = {
  name: string
  legal: string
  city: string
  state: string
  zipcode: string
  area_code: string
  people: number
  stage: EmployerStage
  payroll?: DemoPayroll
}

const employer = (line: string): DemoEmployer => {
  const [name, form, city, state, zipcode, area_code, people, stage, payroll] = line
    .split('|')
    .map((word) => word.trim())
  const names = { name: name!, legal: `${name} ${form}`, city: city!, state: state!, zipcode: zipcode! }
  return {
    ...names,
    area_code: area_code!,
    people: Number(people),
    stage: stage as EmployerStage,
    ...(payroll && { payroll: payroll as DemoPayroll }),
  }
}

const listed = (lines: string): DemoEmployer[] => lines.trim().split('\n').map(employer)

/** A demo organization. Its constant id shows whether it was already seeded. */
export type Book = {
  id: string
  name: string
  type: 'BROKERAGE' | 'CHANNEL_PARTNER' | 'TPA'
  slug: string
  members: { name: string; role: 'ADMIN' | 'OPERATIONS' | 'SALES' | 'ENROLLMENT_AGENT' }[]
  employers: DemoEmployer[]
}

/** Three organizations with 41 employers and 1,500 people. */
export const books: Book[] = [
  {
    id: 'org_01stage0keyst0ne0000000000',
    name: 'Keystone Benefits',
    type: 'BROKERAGE',
    slug: 'keystone',
    members: [
      { name: 'Ines Duarte', role: 'ADMIN' },
      { name: 'Paul Winters', role: 'SALES' },
    ],
    employers: listed(`
      Alder Creek Brewing   | LLC   | Asheville     | NC | 28801 | 828 | 24  | second_year |
      Bluestem Landscaping  | Inc.  | Lawrence      | KS | 66044 | 785 | 41  | renewal     | fixed_file
      Cascade Physical Therapy | PLLC | Bend        | OR | 97701 | 541 | 18  | settled     |
      Delancey Print House  | Inc.  | Brooklyn      | NY | 11211 | 718 | 32  | second_year | was_out
      Eastgate Pediatrics   | PC    | Columbus      | OH | 43215 | 614 | 27  | renewal     |
      Fernwood Montessori   | Inc.  | Portland      | ME | 04101 | 207 | 16  | choosing    |
      Gilded Fern Florists  | LLC   | Savannah      | GA | 31401 | 912 | 9   | settled     |
      Hollis Auto Group     | Inc.  | Tulsa         | OK | 74103 | 918 | 88  | recent      | held_file
      Ivy Street Dental     | PC    | Ann Arbor     | MI | 48104 | 734 | 14  | renewal     |
      Juniper Ridge Roofing | LLC   | Boise         | ID | 83702 | 208 | 36  | settled     |
      Kingfisher Marine     | Inc.  | Duluth        | MN | 55802 | 218 | 22  | choosing    |
      Lantern Bookkeeping   | LLC   | Providence    | RI | 02903 | 401 | 7   | joined      |
      Marigold Home Care    | Inc.  | Tucson        | AZ | 85701 | 520 | 112 | recent      | paused
      Northgate Veterinary  | PLLC  | Spokane       | WA | 99201 | 509 | 49  | roster      |
      Old Mill Fabrication  | Inc.  | Scranton      | PA | 18503 | 570 | 34  | left        |
      Pinehurst Academy     | Inc.  | Raleigh       | NC | 27601 | 919 | 66  | choosing    |
      Quarry Hill Stone     | LLC   | Barre         | VT | 05641 | 802 | 68  | roster      |
      Redbud Family Clinic  | PC    | Louisville    | KY | 40202 | 502 | 23  | joined      |`),
  },
  {
    id: 'org_01stage0mer1d1an0000000000',
    name: 'Meridian Payroll',
    type: 'CHANNEL_PARTNER',
    slug: 'meridian',
    members: [
      { name: 'Grant Osei', role: 'ADMIN' },
      { name: 'Lotte Brandvold', role: 'OPERATIONS' },
    ],
    employers: listed(`
      Sable Coffee Roasters | LLC   | Denver        | CO | 80205 | 303 | 34  | renewal     | was_out
      Tidewater Logistics   | Inc.  | Norfolk       | VA | 23510 | 757 | 96  | choosing    | is_out
      Umber Design Studio   | LLC   | Santa Fe      | NM | 87501 | 505 | 11  | recent      |
      Vista Point Hotels    | Inc.  | Monterey      | CA | 93940 | 831 | 78  | choosing    |
      Westbrook Plumbing    | LLC   | Omaha         | NE | 68102 | 402 | 29  | settled     |
      Yellow Barn Foods     | Inc.  | Burlington    | VT | 05401 | 802 | 42  | renewal     |
      Zephyr Wind Services  | LLC   | Amarillo      | TX | 79101 | 806 | 26  | recent      |
      Ashford Machine Works | Inc.  | Dayton        | OH | 45402 | 937 | 38  | settled     |
      Briar Patch Childcare | LLC   | Madison       | WI | 53703 | 608 | 27  | roster      |
      Copperline Electric   | Inc.  | Phoenix       | AZ | 85003 | 602 | 31  | settled     |
      Driftwood Surf Supply | LLC   | Wilmington    | NC | 28401 | 910 | 8   | joined      |
      Emberly Candles       | LLC   | Nashville     | TN | 37203 | 615 | 12  | left        |
      Foxglove Pharmacy     | Inc.  | Hartford      | CT | 06103 | 860 | 15  | joined      |`),
  },
  {
    id: 'org_01stage0ta11grass000000000',
    name: 'Tallgrass Administrators',
    type: 'TPA',
    slug: 'tallgrass',
    members: [{ name: 'Ruth Adair', role: 'ADMIN' }],
    employers: listed(`
      Granary Bread Company | Inc.  | Des Moines    | IA | 50309 | 515 | 37  | renewal     |
      Heron Lake Cabins     | LLC   | Brainerd      | MN | 56401 | 218 | 10  | recent      |
      Ironbridge Cycles     | Inc.  | Fort Collins  | CO | 80524 | 970 | 21  | settled     | fixed_file
      Jasper Legal Group    | PC    | Little Rock   | AR | 72201 | 501 | 13  | recent      |
      Kestrel Analytics     | Inc.  | Durham        | NC | 27701 | 984 | 44  | choosing    |
      Lockwood Seed         | Inc.  | Fargo         | ND | 58102 | 701 | 45  | roster      |
      Millstone Orchards    | LLC   | Traverse City | MI | 49684 | 231 | 20  | left        |
      Nightingale Hospice   | Inc.  | Topeka        | KS | 66603 | 785 | 33  | settled     |
      Overland Rail Tours   | LLC   | Cheyenne      | WY | 82001 | 307 | 6   | joined      |
      Prairie Staffing      | Inc.  | Wichita       | KS | 67202 | 316 | 300 | staffing    |`),
  },
]
