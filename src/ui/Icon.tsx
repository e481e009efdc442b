/** The icons a funnel may name: Lucide, one import each, so that nothing else is shipped. */
import ArrowLeft from "lucide-react/icons/arrow-left";
import ArrowRight from "lucide-react/icons/arrow-right";
import Award from "lucide-react/icons/award";
import Baby from "lucide-react/icons/baby";
import BadgeCheck from "lucide-react/icons/badge-check";
import BatteryLow from "lucide-react/icons/battery-low";
import Bell from "lucide-react/icons/bell";
import Bike from "lucide-react/icons/bike";
import BookOpen from "lucide-react/icons/book-open";
import BookX from "lucide-react/icons/book-x";
import Brain from "lucide-react/icons/brain";
import Briefcase from "lucide-react/icons/briefcase";
import Building2 from "lucide-react/icons/building-2";
import Bus from "lucide-react/icons/bus";
import Calendar from "lucide-react/icons/calendar";
import CalendarCheck from "lucide-react/icons/calendar-check";
import CalendarDays from "lucide-react/icons/calendar-days";
import CalendarX from "lucide-react/icons/calendar-x";
import ChartLine from "lucide-react/icons/chart-line";
import Check from "lucide-react/icons/check";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleAlert from "lucide-react/icons/circle-alert";
import Clock from "lucide-react/icons/clock";
import Cloud from "lucide-react/icons/cloud";
import Coffee from "lucide-react/icons/coffee";
import Copy from "lucide-react/icons/copy";
import CreditCard from "lucide-react/icons/credit-card";
import Download from "lucide-react/icons/download";
import Dumbbell from "lucide-react/icons/dumbbell";
import Ear from "lucide-react/icons/ear";
import Ellipsis from "lucide-react/icons/ellipsis";
import EqualApproximately from "lucide-react/icons/equal-approximately";
import ExternalLink from "lucide-react/icons/external-link";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import Feather from "lucide-react/icons/feather";
import FileCheck from "lucide-react/icons/file-check";
import Film from "lucide-react/icons/film";
import Flag from "lucide-react/icons/flag";
import Footprints from "lucide-react/icons/footprints";
import Frown from "lucide-react/icons/frown";
import Gamepad2 from "lucide-react/icons/gamepad-2";
import Gauge from "lucide-react/icons/gauge";
import Gift from "lucide-react/icons/gift";
import Globe from "lucide-react/icons/globe";
import GraduationCap from "lucide-react/icons/graduation-cap";
import Hand from "lucide-react/icons/hand";
import Handshake from "lucide-react/icons/handshake";
import Headphones from "lucide-react/icons/headphones";
import Heart from "lucide-react/icons/heart";
import HeartHandshake from "lucide-react/icons/heart-handshake";
import History from "lucide-react/icons/history";
import Hourglass from "lucide-react/icons/hourglass";
import House from "lucide-react/icons/house";
import InfinityIcon from "lucide-react/icons/infinity";
import Info from "lucide-react/icons/info";
import Languages from "lucide-react/icons/languages";
import Laptop from "lucide-react/icons/laptop";
import Laugh from "lucide-react/icons/laugh";
import LifeBuoy from "lucide-react/icons/life-buoy";
import Lightbulb from "lucide-react/icons/lightbulb";
import ListChecks from "lucide-react/icons/list-checks";
import Lock from "lucide-react/icons/lock";
import LogIn from "lucide-react/icons/log-in";
import Luggage from "lucide-react/icons/luggage";
import Mail from "lucide-react/icons/mail";
import MapIcon from "lucide-react/icons/map";
import MapPin from "lucide-react/icons/map-pin";
import Meh from "lucide-react/icons/meh";
import Menu from "lucide-react/icons/menu";
import MessageCircle from "lucide-react/icons/message-circle";
import MessageCircleDashed from "lucide-react/icons/message-circle-dashed";
import MessageCircleOff from "lucide-react/icons/message-circle-off";
import MessageCircleQuestionMark from "lucide-react/icons/message-circle-question-mark";
import MessageCircleX from "lucide-react/icons/message-circle-x";
import MessagesSquare from "lucide-react/icons/messages-square";
import Mic from "lucide-react/icons/mic";
import Minus from "lucide-react/icons/minus";
import Moon from "lucide-react/icons/moon";
import Mountain from "lucide-react/icons/mountain";
import Music from "lucide-react/icons/music";
import Newspaper from "lucide-react/icons/newspaper";
import NotebookPen from "lucide-react/icons/notebook-pen";
import PartyPopper from "lucide-react/icons/party-popper";
import Pause from "lucide-react/icons/pause";
import Pencil from "lucide-react/icons/pencil";
import Percent from "lucide-react/icons/percent";
import Phone from "lucide-react/icons/phone";
import Plane from "lucide-react/icons/plane";
import Play from "lucide-react/icons/play";
import Plus from "lucide-react/icons/plus";
import Presentation from "lucide-react/icons/presentation";
import Puzzle from "lucide-react/icons/puzzle";
import Quote from "lucide-react/icons/quote";
import Rabbit from "lucide-react/icons/rabbit";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Repeat from "lucide-react/icons/repeat";
import Rocket from "lucide-react/icons/rocket";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Route from "lucide-react/icons/route";
import School from "lucide-react/icons/school";
import Settings from "lucide-react/icons/settings";
import ShieldCheck from "lucide-react/icons/shield-check";
import Shuffle from "lucide-react/icons/shuffle";
import Signpost from "lucide-react/icons/signpost";
import Smartphone from "lucide-react/icons/smartphone";
import Smile from "lucide-react/icons/smile";
import Snowflake from "lucide-react/icons/snowflake";
import Sofa from "lucide-react/icons/sofa";
import Sparkles from "lucide-react/icons/sparkles";
import Sprout from "lucide-react/icons/sprout";
import Stamp from "lucide-react/icons/stamp";
import Star from "lucide-react/icons/star";
import Sun from "lucide-react/icons/sun";
import Sunrise from "lucide-react/icons/sunrise";
import Tag from "lucide-react/icons/tag";
import Target from "lucide-react/icons/target";
import Theater from "lucide-react/icons/theater";
import ThumbsDown from "lucide-react/icons/thumbs-down";
import ThumbsUp from "lucide-react/icons/thumbs-up";
import Timer from "lucide-react/icons/timer";
import TrendingUp from "lucide-react/icons/trending-up";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Trophy from "lucide-react/icons/trophy";
import Turtle from "lucide-react/icons/turtle";
import Tv from "lucide-react/icons/tv";
import University from "lucide-react/icons/university";
import User from "lucide-react/icons/user";
import UserPlus from "lucide-react/icons/user-plus";
import UserRound from "lucide-react/icons/user-round";
import Users from "lucide-react/icons/users";
import Utensils from "lucide-react/icons/utensils";
import Video from "lucide-react/icons/video";
import Volume2 from "lucide-react/icons/volume-2";
import Wallet from "lucide-react/icons/wallet";
import X from "lucide-react/icons/x";
import Zap from "lucide-react/icons/zap";
import { classes } from "./classes.ts";
import styles from "./Icon.module.css";

const icons = {
  "arrow-left": ArrowLeft,
  "arrow-right": ArrowRight,
  award: Award,
  baby: Baby,
  "badge-check": BadgeCheck,
  "battery-low": BatteryLow,
  bell: Bell,
  bike: Bike,
  "book-open": BookOpen,
  "book-x": BookX,
  brain: Brain,
  briefcase: Briefcase,
  "building-2": Building2,
  bus: Bus,
  calendar: Calendar,
  "calendar-check": CalendarCheck,
  "calendar-days": CalendarDays,
  "calendar-x": CalendarX,
  "chart-line": ChartLine,
  check: Check,
  "chevron-down": ChevronDown,
  "chevron-right": ChevronRight,
  "circle-alert": CircleAlert,
  clock: Clock,
  cloud: Cloud,
  coffee: Coffee,
  copy: Copy,
  "credit-card": CreditCard,
  download: Download,
  dumbbell: Dumbbell,
  ear: Ear,
  ellipsis: Ellipsis,
  "equal-approximately": EqualApproximately,
  "external-link": ExternalLink,
  eye: Eye,
  "eye-off": EyeOff,
  feather: Feather,
  "file-check": FileCheck,
  film: Film,
  flag: Flag,
  footprints: Footprints,
  frown: Frown,
  "gamepad-2": Gamepad2,
  gauge: Gauge,
  gift: Gift,
  globe: Globe,
  "graduation-cap": GraduationCap,
  hand: Hand,
  handshake: Handshake,
  headphones: Headphones,
  heart: Heart,
  "heart-handshake": HeartHandshake,
  history: History,
  hourglass: Hourglass,
  house: House,
  infinity: InfinityIcon,
  info: Info,
  languages: Languages,
  laptop: Laptop,
  laugh: Laugh,
  "life-buoy": LifeBuoy,
  lightbulb: Lightbulb,
  "list-checks": ListChecks,
  lock: Lock,
  "log-in": LogIn,
  luggage: Luggage,
  mail: Mail,
  map: MapIcon,
  "map-pin": MapPin,
  meh: Meh,
  menu: Menu,
  "message-circle": MessageCircle,
  "message-circle-dashed": MessageCircleDashed,
  "message-circle-off": MessageCircleOff,
  "message-circle-question-mark": MessageCircleQuestionMark,
  "message-circle-x": MessageCircleX,
  "messages-square": MessagesSquare,
  mic: Mic,
  minus: Minus,
  moon: Moon,
  mountain: Mountain,
  music: Music,
  newspaper: Newspaper,
  "notebook-pen": NotebookPen,
  "party-popper": PartyPopper,
  pause: Pause,
  pencil: Pencil,
  percent: Percent,
  phone: Phone,
  plane: Plane,
  play: Play,
  plus: Plus,
  presentation: Presentation,
  puzzle: Puzzle,
  quote: Quote,
  rabbit: Rabbit,
  "refresh-cw": RefreshCw,
  repeat: Repeat,
  rocket: Rocket,
  "rotate-ccw": RotateCcw,
  route: Route,
  school: School,
  settings: Settings,
  "shield-check": ShieldCheck,
  shuffle: Shuffle,
  signpost: Signpost,
  smartphone: Smartphone,
  smile: Smile,
  snowflake: Snowflake,
  sofa: Sofa,
  sparkles: Sparkles,
  sprout: Sprout,
  stamp: Stamp,
  star: Star,
  sun: Sun,
  sunrise: Sunrise,
  tag: Tag,
  target: Target,
  theater: Theater,
  "thumbs-down": ThumbsDown,
  "thumbs-up": ThumbsUp,
  timer: Timer,
  "trending-up": TrendingUp,
  "triangle-alert": TriangleAlert,
  trophy: Trophy,
  turtle: Turtle,
  tv: Tv,
  university: University,
  user: User,
  "user-plus": UserPlus,
  "user-round": UserRound,
  users: Users,
  utensils: Utensils,
  video: Video,
  "volume-2": Volume2,
  wallet: Wallet,
  x: X,
  zap: Zap,
} as const;

export type IconName = keyof typeof icons;
export const iconNames = Object.keys(icons).filter(isIconName);

export function isIconName(name: unknown): name is IconName {
  return typeof name === "string" && Object.hasOwn(icons, name);
}

interface IconProps {
  readonly name: IconName;
  readonly className?: string | undefined;
  /** Line width in the 24 unit grid; heavier for small ticks and arrows. */
  readonly stroke?: number;
}

/** An icon beside words: it is hidden from screen readers, the words carry the meaning. 22 px unless a class says otherwise. */
export function Icon({ name, className, stroke = 1.9 }: IconProps) {
  const Drawing = icons[name];
  return <Drawing className={classes(styles["icon"], className)} size={22} strokeWidth={stroke} aria-hidden="true" focusable="false" />;
}
